#pragma once
// What the world asks of the loop, in order. Bounded: admission.h lets in two messages a request, and
// aborts of rooms that nobody here has (tombstones) have a bound of their own.

#include <cstddef>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "core/failure.h"
#include "core/request.h"

namespace pd {

struct SubmitMessage { Request request; };
struct AbortMessage {
  std::string id;
  Failure why;
};
struct FinishMessage { std::string id; };
struct AbortRoomMessage {  // of a room that nobody here has
  Room room = 0;
  Failure why;
};
using Message = std::variant<SubmitMessage, AbortMessage, FinishMessage, AbortRoomMessage>;

class Inbox {
 public:
  Inbox(std::size_t messages_max, std::size_t tombstones_max)
      : messages_max_(messages_max), tombstones_max_(tombstones_max) {}

  // Any thread; false: full.
  [[nodiscard]] bool push(SubmitMessage message);
  [[nodiscard]] bool push(AbortMessage message);
  [[nodiscard]] bool push(FinishMessage message);
  [[nodiscard]] bool push(AbortRoomMessage message);
  std::vector<Message> take();  // loop: all of it

 private:
  bool push_request(Message message);

  const std::size_t messages_max_, tombstones_max_;
  std::size_t tombstones_ = 0;  // among messages_
  std::mutex mutex_;
  std::vector<Message> messages_;
};

}  // namespace pd
