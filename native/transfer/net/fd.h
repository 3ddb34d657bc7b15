#pragma once
// Owns one file descriptor.

#include <unistd.h>

#include <utility>

namespace pd {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, none)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, none); }
  void reset() {
    if (fd_ >= 0) close(std::exchange(fd_, none));
  }

 private:
  static constexpr int none = -1;  // what the kernel says for "no descriptor"
  int fd_ = none;
};

}  // namespace pd
