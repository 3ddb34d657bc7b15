#include "shim/ring.h"

#include <algorithm>
#include <cstring>

namespace pd {

void Ring::put(std::span<const char> bytes) {
  {
    const std::lock_guard lock(mutex_);
    const size_t count = std::min(bytes.size(), bytes_max_ - used_);
    const size_t at = (first_ + used_) % bytes_max_;
    const size_t before_end = std::min(count, bytes_max_ - at);
    std::memcpy(bytes_.get() + at, bytes.data(), before_end);
    std::memcpy(bytes_.get(), bytes.data() + before_end, count - before_end);
    used_ += count;
    dropped_ += bytes.size() - count;
  }
  filled_.notify_one();
}

size_t Ring::take(std::span<char> to) {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [&] { return used_ > 0 || closed_; });
  const size_t count = std::min({to.size(), used_, bytes_max_ - first_});
  std::memcpy(to.data(), bytes_.get() + first_, count);
  first_ = (first_ + count) % bytes_max_;
  used_ -= count;
  if (used_ == 0) first_ = 0;  // the same few pages again
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
