#pragma once
// Random frames for the wire's tests, and whether two are the same in every field.

#include <random>

#include "transfer/wire.h"

namespace pd {

class NetFrames {
 public:
  explicit NetFrames(std::uint32_t seed) : random_(seed) {}

  Frame next(std::size_t kind);  // an index into Frame
  Incarnations incarnations() { return {random_(), random_()}; }
  std::uint64_t number() { return random_(); }
  std::vector<std::uint8_t> bytes(std::size_t count);

 private:
  Key key() { return {.room = random_() & room_max, .prefill = random_(), .decode = random_()}; }
  Digest digest();
  std::uint32_t small() { return static_cast<std::uint32_t>(random_() % 20); }

  std::mt19937_64 random_;
};

bool same_frame(const Frame& a, const Frame& b);

}  // namespace pd
