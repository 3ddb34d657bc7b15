#include "engine/inbox.h"

#include <utility>

namespace pd {

bool Inbox::push(SubmitMessage message) { return push_request(std::move(message)); }

bool Inbox::push(AbortMessage message) { return push_request(std::move(message)); }

bool Inbox::push(FinishMessage message) { return push_request(std::move(message)); }

bool Inbox::push(AbortRoomMessage message) {
  const std::lock_guard lock(mutex_);
  if (tombstones_ >= tombstones_max_) return false;
  ++tombstones_;
  messages_.emplace_back(std::move(message));
  return true;
}

bool Inbox::push_request(Message message) {
  const std::lock_guard lock(mutex_);
  if (messages_.size() - tombstones_ >= messages_max_) return false;
  messages_.push_back(std::move(message));
  return true;
}

std::vector<Message> Inbox::take() {
  const std::lock_guard lock(mutex_);
  tombstones_ = 0;
  return std::exchange(messages_, {});
}

}  // namespace pd
