#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pd {

// A log that appends to PATH; once it would pass bytes_max it becomes PATH.1, the one before it PATH.2, and so on, at
// most files_max of them. A file that was deleted or moved away is made anew. Whatever the disk refuses is counted as
// dropped, and a line says so once it takes bytes again.
class RotatingFile {
 public:
  RotatingFile(std::string path, int64_t bytes_max, int64_t files_max);
  ~RotatingFile();
  RotatingFile(const RotatingFile&) = delete;
  RotatingFile& operator=(const RotatingFile&) = delete;

  void write(std::span<const char> bytes);
  uint64_t bytes_dropped() const { return dropped_; }

 private:
  std::span<const char> piece_of(std::span<const char> bytes) const;
  [[nodiscard]] bool is_in_place() const;
  void open_file();
  void close_file();
  void rotate();
  void tell_dropped();
  size_t append(std::span<const char> bytes);

  std::string path_;
  int64_t bytes_max_;
  int64_t files_max_;
  int file_ = -1;  // a file descriptor, as the kernel has them
  int64_t size_ = 0;
  uint64_t dropped_ = 0;
  uint64_t dropped_told_ = 0;
};

}  // namespace pd
