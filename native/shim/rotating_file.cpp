#include "shim/rotating_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace pd {

RotatingFile::RotatingFile(std::string path, int64_t bytes_max, int64_t files_max)
    : path_(std::move(path)), bytes_max_(bytes_max), files_max_(files_max) {}

RotatingFile::~RotatingFile() { close_file(); }

void RotatingFile::write(std::span<const char> bytes) {
  while (!bytes.empty()) {
    if (file_ >= 0 && !is_in_place()) close_file();
    if (file_ < 0) open_file();
    if (file_ >= 0 && piece_of(bytes).empty()) rotate();
    if (file_ < 0 || piece_of(bytes).empty()) {
      dropped_ += bytes.size();
      return;
    }
    tell_dropped();
    // Not empty, unless the line about dropped bytes took the room: then the next round rotates.
    const std::span<const char> piece = piece_of(bytes);
    dropped_ += piece.size() - append(piece);
    bytes = bytes.subspan(piece.size());
  }
}

// What still fits, in whole lines; a line that no file could hold is cut.
std::span<const char> RotatingFile::piece_of(std::span<const char> bytes) const {
  const auto room = static_cast<size_t>(std::max<int64_t>(0, bytes_max_ - size_));
  if (bytes.size() <= room) return bytes;
  const std::span<const char> fitting = bytes.first(room);
  const auto newline = std::find(fitting.rbegin(), fitting.rend(), '\n');
  if (newline != fitting.rend()) return fitting.first(static_cast<size_t>(fitting.rend() - newline));
  return size_ == 0 ? fitting : fitting.first(0);
}

bool RotatingFile::is_in_place() const {
  struct stat at_path = {};
  struct stat ours = {};
  return stat(path_.c_str(), &at_path) == 0 && fstat(file_, &ours) == 0 && at_path.st_ino == ours.st_ino &&
         at_path.st_dev == ours.st_dev;
}

// O_NONBLOCK: where something put a pipe in its place, nobody waits for a reader.
void RotatingFile::open_file() {
  file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600);
  struct stat found = {};
  size_ = file_ >= 0 && fstat(file_, &found) == 0 ? found.st_size : 0;
}

void RotatingFile::close_file() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

void RotatingFile::rotate() {
  close_file();
  for (int64_t number = files_max_ - 1; number >= 1; --number) {
    const std::string from = number == 1 ? path_ : path_ + "." + std::to_string(number - 1);
    const std::string to = path_ + "." + std::to_string(number);
    if (rename(from.c_str(), to.c_str()) != 0 && number == 1) return;  // bytes are dropped, and the next write tries
  }
  if (files_max_ == 1) unlink(path_.c_str());
  open_file();
}

void RotatingFile::tell_dropped() {
  if (dropped_ == dropped_told_) return;
  const std::string line =
      "[pdctl-shim: " + std::to_string(dropped_ - dropped_told_) + " bytes could not be written]\n";
  if (append(line) == line.size()) dropped_told_ = dropped_;
}

size_t RotatingFile::append(std::span<const char> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(file_, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
    size_ += count;
  }
  return done;
}

}  // namespace pd
