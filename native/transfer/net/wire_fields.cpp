#include "transfer/net/wire_fields.h"

#include "core/check.h"
#include "transfer/wire.h"

namespace pd {
namespace {

constexpr std::size_t key_bytes = 24;
constexpr std::size_t progress_entry_bytes = key_bytes + 1 + 4 + 4;
constexpr std::size_t source_page_bytes = 4 + 8;

void write_key(ByteWriter& out, const Key& key) {
  out.u64(key.room);
  out.u64(key.prefill);
  out.u64(key.decode);
}

// The numbers of these enumerations are on the wire: a new order is a new protocol version.
bool known(FailureCode code) {
  switch (code) {
    case FailureCode::aborted:
    case FailureCode::bootstrap_timeout:
    case FailureCode::waiting_timeout:
    case FailureCode::inflight_timeout:
    case FailureCode::peer_lost:
    case FailureCode::peer_failed:
    case FailureCode::peer_refused:
    case FailureCode::kv_corruption:
    case FailureCode::prompt_mismatch:
    case FailureCode::duplicate_room:
    case FailureCode::too_long:
    case FailureCode::queue_full:
    case FailureCode::queue_timeout:
    case FailureCode::pool_exhausted:
    case FailureCode::draining:
    case FailureCode::shutdown: return true;
  }
  return false;
}

bool known(PrefillStage stage) {
  switch (stage) {
    case PrefillStage::bootstrap:
    case PrefillStage::waiting:
    case PrefillStage::running:
    case PrefillStage::inflight: return true;
  }
  return false;
}

bool known(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop:
    case FinishReason::length: return true;
  }
  return false;
}

FailureCode read_failure_code(ByteReader& in) {
  const auto code = static_cast<FailureCode>(in.u8());
  if (!known(code)) in.fail("has an unknown failure code " + std::to_string(static_cast<int>(code)));
  return code;
}

PrefillStage read_stage(ByteReader& in) {
  const auto stage = static_cast<PrefillStage>(in.u8());
  if (!known(stage)) in.fail("has an unknown stage " + std::to_string(static_cast<int>(stage)));
  return stage;
}

FinishReason read_finish_reason(ByteReader& in) {
  const auto reason = static_cast<FinishReason>(in.u8());
  if (!known(reason)) in.fail("has an unknown finish reason " + std::to_string(static_cast<int>(reason)));
  return reason;
}

}  // namespace

void write_body(ByteWriter& out, const Present& body) {
  write_key(out, body.key);
  out.digest(body.prompt_hash);
  out.u32(body.prompt_tokens);
}

void write_body(ByteWriter& out, const Credit& body) { write_key(out, body.key); }
void write_body(ByteWriter& out, const Committed& body) { write_key(out, body.key); }
void write_body(ByteWriter& out, const Done& body) { write_key(out, body.key); }
void write_body(ByteWriter& out, const Abort& body) { write_key(out, body.key); }
void write_body(ByteWriter& out, const Drained& body) { write_key(out, body.key); }

void write_body(ByteWriter& out, const Reserved& body) {
  write_key(out, body.key);
  out.u32(body.pages);
  out.u32(body.skip);
}

void write_body(ByteWriter& out, const Source& body) {
  PD_CHECK(body.pages.size() == body.generations.size(), "each source page has one generation");
  write_key(out, body.key);
  out.u32(static_cast<std::uint32_t>(body.pages.size()));
  for (const PageId page : body.pages) out.u32(page);
  for (const std::uint64_t generation : body.generations) out.u64(generation);
}

void write_body(ByteWriter& out, const Ready& body) {
  write_key(out, body.key);
  out.u32(body.layer);
  out.u32(body.rows);
  out.u8(body.checksum ? 1 : 0);
  if (body.checksum) out.u64(*body.checksum);
}

void write_body(ByteWriter& out, const Progress& body) {
  out.u64(body.steps);
  out.u32(static_cast<std::uint32_t>(body.entries.size()));
  for (const ProgressEntry& entry : body.entries) {
    write_key(out, entry.key);
    out.u8(static_cast<std::uint8_t>(entry.stage));
    out.u32(entry.rows_computed);
    out.u32(entry.rows_sent);
  }
}

void write_body(ByteWriter& out, const Final& body) {
  write_key(out, body.key);
  out.u32(body.prompt_tokens);
  out.digest(body.prompt_hash);
  out.u32(static_cast<std::uint32_t>(body.first_token));
  out.u8(body.finish_reason ? 1 : 0);
  if (body.finish_reason) out.u8(static_cast<std::uint8_t>(*body.finish_reason));
  out.bytes(body.logprobs);
}

void write_body(ByteWriter& out, const Failed& body) {
  write_key(out, body.key);
  out.u8(static_cast<std::uint8_t>(body.code));
  out.text(body.why, words_bytes_max);
}

Key read_key(ByteReader& in) {
  Key key;
  key.room = in.u64();
  key.prefill = in.u64();
  key.decode = in.u64();
  if (key.room > room_max) in.fail("has a room beyond 2^63 - 1");
  return key;
}

Present read_present(ByteReader& in) {
  return {.key = read_key(in), .prompt_hash = in.digest(), .prompt_tokens = in.u32()};
}

Reserved read_reserved(ByteReader& in) { return {.key = read_key(in), .pages = in.u32(), .skip = in.u32()}; }

Source read_source(ByteReader& in) {
  Source body{.key = read_key(in), .pages = {}, .generations = {}};
  const std::uint32_t pages = in.count(source_page_bytes);
  body.pages.resize(pages);
  body.generations.resize(pages);
  for (PageId& page : body.pages) page = in.u32();
  for (std::uint64_t& generation : body.generations) generation = in.u64();
  return body;
}

Ready read_ready(ByteReader& in) {
  Ready body{.key = read_key(in), .layer = in.u32(), .rows = in.u32(), .checksum = std::nullopt};
  if (in.flag()) body.checksum = in.u64();
  return body;
}

Progress read_progress(ByteReader& in) {
  Progress body{.steps = in.u64(), .entries = {}};
  body.entries.resize(in.count(progress_entry_bytes));
  for (ProgressEntry& entry : body.entries) {
    entry.key = read_key(in);
    entry.stage = read_stage(in);
    entry.rows_computed = in.u32();
    entry.rows_sent = in.u32();
  }
  return body;
}

Final read_final(ByteReader& in) {
  Final body{.key = read_key(in),
             .prompt_tokens = in.u32(),
             .prompt_hash = in.digest(),
             .first_token = static_cast<TokenId>(in.u32()),
             .finish_reason = std::nullopt,
             .logprobs = {}};
  if (in.flag()) body.finish_reason = read_finish_reason(in);
  body.logprobs = in.bytes(logprobs_bytes_max);
  return body;
}

Failed read_failed(ByteReader& in) {
  return {.key = read_key(in), .code = read_failure_code(in), .why = in.text(words_bytes_max)};
}

}  // namespace pd
