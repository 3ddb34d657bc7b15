#pragma once
#include <limits>

#include "core/ids.h"

namespace pd {

// Every non-terminal state has one. Counted on the monotonic clock by the loop.
constexpr Nanos no_deadline = std::numeric_limits<Nanos>::max();

struct Deadlines {
  Nanos bootstrap = 300 * nanos_per_second;  // P: enqueue → present, credit → reserved; D: arrival → credit → reserved
  Nanos waiting = 300 * nanos_per_second;    // D: since its prefill engine last showed progress on it
  Nanos inflight = 300 * nanos_per_second;   // both: since prefill has finished
  Nanos queue = 0;                           // P: longest wait for a batch; 0 has no limit
};

}  // namespace pd
