#include "transfer/net/link.h"

#include <cerrno>

#include "transfer/net/sockets.h"

namespace pd {

Link::Link(Fd socket, std::string name, const Poller& poller)
    : name_(std::move(name)), poller_(poller), socket_(std::move(socket)) {}

void Link::send(Frame frame) {
  const std::vector<std::uint8_t> bytes = encode(frame, incarnations_);
  const std::lock_guard lock(mutex_);
  if (!socket_ || broken_) return;
  if (bytes.size() > frame_bytes_max) {
    broken_ = "a frame of " + std::to_string(bytes.size()) + " bytes was to be sent, at most " +
              std::to_string(frame_bytes_max);
  } else {
    write_locked(bytes);
  }
  if (broken_ || !outbox_.empty()) poller_.wake();
}

void Link::write(std::span<const std::uint8_t> bytes) {
  const std::lock_guard lock(mutex_);
  if (socket_ && !broken_) write_locked(bytes);
}

void Link::flush() {
  const std::lock_guard lock(mutex_);
  if (socket_ && !broken_) flush_locked();
}

bool Link::backlog() const {
  const std::lock_guard lock(mutex_);
  return !outbox_.empty();
}

std::optional<std::string> Link::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

void Link::close() {
  const std::lock_guard lock(mutex_);
  socket_.reset();
  outbox_ = {};
}

void Link::write_locked(std::span<const std::uint8_t> bytes) {
  if (outbox_.size() + bytes.size() > outbox_bytes_max) {
    broken_ = "the other side does not read: " + std::to_string(outbox_.size()) + " bytes wait for it, at most " +
              std::to_string(outbox_bytes_max);
    return;
  }
  const bool idle = outbox_.empty();
  outbox_.insert(outbox_.end(), bytes.begin(), bytes.end());
  if (idle) flush_locked();  // the shortest way: no other thread has to wake up for it
}

void Link::flush_locked() {
  std::size_t sent = 0;
  while (sent < outbox_.size()) {
    const ssize_t count = ::send(socket_.get(), outbox_.data() + sent, outbox_.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count < 0) {
      broken_ = "cannot be written to: " + error_words();
      return;
    }
    sent += static_cast<std::size_t>(count);
  }
  outbox_.erase(outbox_.begin(), outbox_.begin() + static_cast<std::ptrdiff_t>(sent));
}

}  // namespace pd
