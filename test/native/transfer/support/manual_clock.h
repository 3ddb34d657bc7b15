#pragma once
#include "transfer/clock.h"

namespace pd {

// Time stands still until a test moves it.
struct ManualClock final : Clock {
  Nanos time = 1'000 * nanos_per_second;
  Nanos now() const override { return time; }
  void pass(Nanos duration) { time += duration; }
};

}  // namespace pd
