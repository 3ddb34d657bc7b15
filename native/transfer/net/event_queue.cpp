#include "transfer/net/event_queue.h"

#include <utility>

namespace pd {

void EventQueue::push(NetworkEvent event) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = events_.empty();
    events_.push_back(std::move(event));
  }
  if (first) wake_();
}

bool EventQueue::full() const {
  const std::lock_guard lock(mutex_);
  return events_.size() >= events_max;
}

EventQueue::Taken EventQueue::take() {
  const std::lock_guard lock(mutex_);
  Taken taken{.events = std::exchange(events_, {})};
  taken.was_full = taken.events.size() >= events_max;
  return taken;
}

}  // namespace pd
