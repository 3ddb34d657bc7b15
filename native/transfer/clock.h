#pragma once
#include "core/ids.h"

namespace pd {

// Passed in, so that tests own the time.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Nanos now() const = 0;  // monotonic
};

}  // namespace pd
