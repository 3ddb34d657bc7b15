#pragma once
// The small numbers that everything else is built from.

#include <compare>
#include <cstdint>

namespace pd {

using TokenId = std::int32_t;  // an index into the model's vocabulary
using PageId = std::uint32_t;  // an index into one engine's page pool

// What both legs of one request share. 63 bits: it crosses JSON, Python and C++ as a signed number.
using Room = std::uint64_t;
constexpr Room room_max = (std::uint64_t{1} << 63) - 1;

// 64 random bits drawn when a process starts. A restarted engine is another engine.
using Incarnation = std::uint64_t;

// Names one transfer for ever: a room is reused, an incarnation is not.
struct Key {
  Room room = 0;
  Incarnation prefill = 0;
  Incarnation decode = 0;
  auto operator<=>(const Key&) const = default;
};

// Nanoseconds on the monotonic clock. Time comes in as an argument; only the loop reads a clock.
using Nanos = std::int64_t;
constexpr Nanos nanos_per_ms = 1'000'000;
constexpr Nanos nanos_per_second = 1'000'000'000;

}  // namespace pd
