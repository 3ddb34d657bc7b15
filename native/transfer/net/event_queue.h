#pragma once
// From the network's thread to the loop. Bounded: when it is full the network reads no more frames, so
// that the peers are held back instead of memory being taken.

#include <functional>
#include <mutex>
#include <vector>

#include "transfer/network.h"

namespace pd {

class EventQueue {
 public:
  explicit EventQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  void push(NetworkEvent event);
  void nudge() { wake_(); }  // only counters have changed: the loop shows them
  bool full() const;

  struct Taken {
    std::vector<NetworkEvent> events;
    bool was_full = false;  // the network may be waiting for room
  };
  Taken take();  // loop thread

 private:
  static constexpr std::size_t events_max = 1 << 14;

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::vector<NetworkEvent> events_;
};

}  // namespace pd
