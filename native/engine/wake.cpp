#include "engine/wake.h"

#include <algorithm>
#include <chrono>

namespace pd {

void Wake::call() {
  Nanos expected = resting;
  owing_since_.compare_exchange_strong(expected, clock_.now());
  {
    const std::lock_guard lock(mutex_);
    called_ = true;
  }
  condition_.notify_one();
}

void Wake::turn() { owing_since_ = clock_.now(); }

void Wake::sleep_until(Nanos limit) {
  // A deadline may lie centuries ahead; the condition variable must not overflow on it.
  constexpr Nanos longest = 3600 * nanos_per_second;
  const Nanos rest = std::clamp<Nanos>(limit - clock_.now(), 0, longest);
  std::unique_lock lock(mutex_);
  if (!called_) {
    owing_since_ = resting;
    condition_.wait_for(lock, std::chrono::nanoseconds(rest), [this] { return called_; });
  }
  called_ = false;
  owing_since_ = clock_.now();
}

Nanos Wake::age() const {
  const Nanos since = owing_since_;
  return since == resting ? 0 : std::max<Nanos>(0, clock_.now() - since);
}

}  // namespace pd
