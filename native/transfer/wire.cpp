#include "transfer/wire.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "transfer/net/bytes.h"
#include "transfer/net/framing.h"
#include "transfer/net/wire_fields.h"

namespace pd {
namespace {

// On the wire: in the order of Frame, and no number is ever used twice. 1 to 15 are the handshake's.
enum class Kind : std::uint8_t {
  present = 16,
  credit,
  reserved,
  source,
  ready,
  progress,
  final,
  committed,
  done,
  failed,
  abort,
  drained,
};
constexpr auto first_kind = static_cast<std::uint8_t>(Kind::present);
constexpr const char* kind_names[] = {"present", "credit",    "reserved", "source", "ready", "progress",
                                      "final",   "committed", "done",     "failed", "abort", "drained"};
static_assert(std::size(kind_names) == std::variant_size_v<Frame>);
static_assert(static_cast<std::size_t>(Kind::drained) - first_kind + 1 == std::variant_size_v<Frame>);

Frame read_frame(Kind kind, ByteReader& in) {
  switch (kind) {
    case Kind::present: return read_present(in);
    case Kind::credit: return Credit{read_key(in)};
    case Kind::reserved: return read_reserved(in);
    case Kind::source: return read_source(in);
    case Kind::ready: return read_ready(in);
    case Kind::progress: return read_progress(in);
    case Kind::final: return read_final(in);
    case Kind::committed: return Committed{read_key(in)};
    case Kind::done: return Done{read_key(in)};
    case Kind::failed: return read_failed(in);
    case Kind::abort: return Abort{read_key(in)};
    case Kind::drained: break;
  }
  return Drained{read_key(in)};
}

}  // namespace

std::vector<std::uint8_t> encode(const Frame& frame, const Incarnations& incarnations) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(first_kind + frame.index()));
  out.u64(incarnations.from);
  out.u64(incarnations.to);
  std::visit([&](const auto& body) { write_body(out, body); }, frame);
  return with_length(out.take());
}

std::variant<Received, Malformed> decode(std::span<const std::uint8_t> payload) {
  ByteReader in(payload);
  const std::uint8_t kind = in.u8();
  if (kind < first_kind || kind >= first_kind + std::size(kind_names)) {
    return Malformed{"frame of unknown kind " + std::to_string(kind)};
  }
  Incarnations incarnations;
  incarnations.from = in.u64();
  incarnations.to = in.u64();
  Frame frame = read_frame(static_cast<Kind>(kind), in);
  if (const std::optional<std::string> fault = in.fault()) {
    return Malformed{std::string(kind_names[kind - first_kind]) + " frame " + *fault};
  }
  return Received{incarnations, std::move(frame)};
}

bool concerns(const Frame& frame, Incarnation prefill, Incarnation decode) {
  const auto ours = [&](const Key& key) { return key.prefill == prefill && key.decode == decode; };
  return std::visit(
      [&](const auto& body) {
        if constexpr (std::is_same_v<std::decay_t<decltype(body)>, Progress>) {
          return std::ranges::all_of(body.entries, [&](const ProgressEntry& entry) { return ours(entry.key); });
        } else {
          return ours(body.key);
        }
      },
      frame);
}

bool may_send(Sender sender, const Frame& frame) {
  struct Says {
    bool operator()(const Present&) const { return decode; }
    bool operator()(const Credit&) const { return prefill; }
    bool operator()(const Reserved&) const { return decode; }
    bool operator()(const Source&) const { return prefill; }
    bool operator()(const Ready&) const { return prefill; }
    bool operator()(const Progress&) const { return prefill; }
    bool operator()(const Final&) const { return prefill; }
    bool operator()(const Committed&) const { return decode; }
    bool operator()(const Done&) const { return decode; }
    bool operator()(const Failed&) const { return true; }
    bool operator()(const Abort&) const { return true; }
    bool operator()(const Drained&) const { return true; }
    bool prefill, decode;
  };
  return std::visit(Says{.prefill = sender == Sender::prefill, .decode = sender == Sender::decode}, frame);
}

}  // namespace pd
