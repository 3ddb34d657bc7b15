#include "transfer/support/net_frames.h"

#include <tuple>
#include <type_traits>

namespace pd {
namespace {

auto fields(const Present& f) { return std::tie(f.key, f.prompt_hash, f.prompt_tokens); }
auto fields(const Credit& f) { return std::tie(f.key); }
auto fields(const Reserved& f) { return std::tie(f.key, f.pages, f.skip); }
auto fields(const Source& f) { return std::tie(f.key, f.pages, f.generations); }
auto fields(const Ready& f) { return std::tie(f.key, f.layer, f.rows, f.checksum); }
auto fields(const ProgressEntry& f) { return std::tie(f.key, f.stage, f.rows_computed, f.rows_sent); }
auto fields(const Final& f) {
  return std::tie(f.key, f.prompt_tokens, f.prompt_hash, f.first_token, f.finish_reason, f.logprobs);
}
auto fields(const Committed& f) { return std::tie(f.key); }
auto fields(const Done& f) { return std::tie(f.key); }
auto fields(const Failed& f) { return std::tie(f.key, f.code, f.why); }
auto fields(const Abort& f) { return std::tie(f.key); }
auto fields(const Drained& f) { return std::tie(f.key); }

template <typename Body>
bool same(const Body& a, const Body& b) {
  return fields(a) == fields(b);
}

bool same(const Progress& a, const Progress& b) {
  if (a.steps != b.steps || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (!same(a.entries[i], b.entries[i])) return false;
  }
  return true;
}

}  // namespace

bool same_frame(const Frame& a, const Frame& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& body) { return same(body, std::get<std::decay_t<decltype(body)>>(b)); }, a);
}

std::vector<std::uint8_t> NetFrames::bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_());
  return bytes;
}

Digest NetFrames::digest() {
  Digest digest;
  for (std::uint8_t& byte : digest) byte = static_cast<std::uint8_t>(random_());
  return digest;
}

Frame NetFrames::next(std::size_t kind) {
  const auto u32 = [&] { return static_cast<std::uint32_t>(random_()); };
  switch (kind) {
    case 0: return Present{.key = key(), .prompt_hash = digest(), .prompt_tokens = u32()};
    case 1: return Credit{key()};
    case 2: return Reserved{.key = key(), .pages = u32(), .skip = u32()};
    case 3: {
      Source source{.key = key(), .pages = {}, .generations = {}};
      for (std::uint32_t i = small(); i > 0; --i) {
        source.pages.push_back(u32());
        source.generations.push_back(random_());
      }
      return source;
    }
    case 4: {
      Ready ready{.key = key(), .layer = u32(), .rows = u32(), .checksum = {}};
      if (small() % 2 == 0) ready.checksum = random_();
      return ready;
    }
    case 5: {
      Progress progress{.steps = random_(), .entries = {}};
      for (std::uint32_t i = small(); i > 0; --i) {
        progress.entries.push_back({.key = key(),
                                    .stage = static_cast<PrefillStage>(small() % 4),
                                    .rows_computed = u32(),
                                    .rows_sent = u32()});
      }
      return progress;
    }
    case 6: {
      Final final{.key = key(),
                  .prompt_tokens = u32(),
                  .prompt_hash = digest(),
                  .first_token = static_cast<TokenId>(u32()),
                  .finish_reason = {},
                  .logprobs = bytes(small())};
      if (small() % 2 == 0) final.finish_reason = static_cast<FinishReason>(small() % 2);
      return final;
    }
    case 7: return Committed{key()};
    case 8: return Done{key()};
    case 9: {
      const std::vector<std::uint8_t> why = bytes(small());
      return Failed{.key = key(), .code = static_cast<FailureCode>(small() % 16), .why = {why.begin(), why.end()}};
    }
    case 10: return Abort{key()};
  }
  return Drained{key()};
}

}  // namespace pd
