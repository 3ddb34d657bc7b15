#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace pd {

// Bytes on their way from one thread to another. The one that puts never waits: what has no room is dropped and
// counted. The one that takes waits for bytes or the end.
class Ring {
 public:
  explicit Ring(size_t bytes_max) : bytes_max_(bytes_max), bytes_(std::make_unique_for_overwrite<char[]>(bytes_max)) {}
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  void put(std::span<const char> bytes);
  // 0: closed, and everything has been taken.
  size_t take(std::span<char> to);
  void close();
  uint64_t bytes_dropped() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable filled_;
  size_t bytes_max_;
  std::unique_ptr<char[]> bytes_;  // not touched before it is used: most programs say little
  size_t first_ = 0;
  size_t used_ = 0;
  uint64_t dropped_ = 0;
  bool closed_ = false;
};

}  // namespace pd
