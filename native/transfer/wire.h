#pragma once
// Frames as bytes: a 32-bit length, then kind, both incarnations and the body; numbers little-endian.
// Decoding is strict: every count has a bound, every enumeration is known, nothing is left over.

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "transfer/frame.h"

namespace pd {

constexpr std::uint32_t frame_bytes_max = 1 << 20;  // behind the length
constexpr std::size_t words_bytes_max = 2048;       // a failure's why, a fingerprint's words
constexpr std::size_t logprobs_bytes_max = 64 << 10;

struct Incarnations {
  Incarnation from = 0, to = 0;
  bool operator==(const Incarnations&) const = default;
};

struct Received {
  Incarnations incarnations;
  Frame frame;
};

struct Malformed {
  std::string words;  // "ready frame ends 3 bytes too early"
};

// With the length before it.
std::vector<std::uint8_t> encode(const Frame& frame, const Incarnations& incarnations);
// `payload` is what follows the length.
std::variant<Received, Malformed> decode(std::span<const std::uint8_t> payload);

// Whether all keys of a frame are of this pair of engines.
bool concerns(const Frame& frame, Incarnation prefill, Incarnation decode);

enum class Sender { prefill, decode };
// Whether this side ever says such a thing.
bool may_send(Sender sender, const Frame& frame);

}  // namespace pd
