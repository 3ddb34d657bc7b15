#pragma once
// How the loop sleeps, and how all others wake it. It also knows for how long the loop has owed a turn:
// asleep with nothing to do is age 0, however long; asleep although called is not.

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "transfer/clock.h"

namespace pd {

class Wake {
 public:
  explicit Wake(const Clock& clock) : clock_(clock) {}
  Wake(const Wake&) = delete;
  Wake& operator=(const Wake&) = delete;

  void call();                    // any thread: there is something to do
  void turn();                    // loop: I am here
  void sleep_until(Nanos limit);  // loop: until called or `limit`; at once when called since the last sleep
  Nanos age() const;              // any thread

 private:
  static constexpr Nanos resting = 0;

  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool called_ = false;
  std::atomic<Nanos> owing_since_{resting};
};

}  // namespace pd
