#include "shim/log_writer.h"

#include <memory>

namespace pd {

namespace {

// A burst of 33 MB/s, 2 GB a minute, has an eighth of a second.
constexpr size_t ring_bytes = 4 << 20;
constexpr size_t chunk_bytes = 256 << 10;

}  // namespace

LogWriter::LogWriter(std::string path, int64_t bytes_max, int64_t files_max)
    : ring_(ring_bytes), file_(std::move(path), bytes_max, files_max) {}

bool LogWriter::finish(std::chrono::milliseconds limit) {
  if (!thread_.joinable()) return true;
  ring_.close();
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, limit, [&] { return has_ended_; })) {
    lock.unlock();
    thread_.join();
    return true;
  }
  thread_.detach();
  return false;
}

void LogWriter::run() {
  const auto chunk = std::make_unique_for_overwrite<char[]>(chunk_bytes);
  while (const size_t count = ring_.take({chunk.get(), chunk_bytes})) {
    file_.write({chunk.get(), count});
    file_dropped_ = file_.bytes_dropped();
  }
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  ended_.notify_all();
}

}  // namespace pd
