#pragma once

#include <chrono>

#include "transfer/clock.h"

namespace pd {

// The clock of a running engine; tests of single parts bring their own.
class SteadyClock final : public Clock {
 public:
  Nanos now() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

inline double unix_now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::system_clock::now().time_since_epoch()).count();
}

inline double ms(Nanos nanos) { return static_cast<double>(nanos) / nanos_per_ms; }

}  // namespace pd
