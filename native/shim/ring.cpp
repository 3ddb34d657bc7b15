#include "shim/ring.h"

#include <algorithm>
#include <cstring>

namespace pd {

void Ring::put(std::span<const char> bytes) {
  {
    const std::lock_guard lock(mutex_);
    const size_t count = std::min(bytes.size(), bytes_.size() - used_);
    const size_t at = (first_ + used_) % bytes_.size();
    const size_t before_end = std::min(count, bytes_.size() - at);
    std::memcpy(bytes_.data() + at, bytes.data(), before_end);
    std::memcpy(bytes_.data(), bytes.data() + before_end, count - before_end);
    used_ += count;
    dropped_ += bytes.size() - count;
  }
  filled_.notify_one();
}

size_t Ring::take(std::span<char> to) {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [&] { return used_ > 0 || closed_; });
  const size_t count = std::min({to.size(), used_, bytes_.size() - first_});
  std::memcpy(to.data(), bytes_.data() + first_, count);
  first_ = (first_ + count) % bytes_.size();
  used_ -= count;
  return count;
}

void Ring::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_one();
}

uint64_t Ring::bytes_dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace pd
