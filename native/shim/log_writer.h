#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "shim/ring.h"
#include "shim/rotating_file.h"

namespace pd {

// Writes on a thread of its own, so that a slow or hanging disk stops neither the child nor the one who holds it.
class LogWriter {
 public:
  LogWriter(std::string path, int64_t bytes_max, int64_t files_max);
  ~LogWriter() { finish(std::chrono::milliseconds(0)); }
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // The thread takes the caller's blocked signals with it.
  void begin() {
    thread_ = std::thread([this] { run(); });
  }
  void put(std::span<const char> bytes) { ring_.put(bytes); }
  // Writes what is left. False where the disk did not take it within the limit: then the thread is left to itself,
  // and this object must not be destroyed before the process ends.
  bool finish(std::chrono::milliseconds limit);
  uint64_t bytes_dropped() const { return ring_.bytes_dropped() + file_dropped_.load(); }

 private:
  void run();

  Ring ring_;
  RotatingFile file_;
  std::atomic<uint64_t> file_dropped_ = 0;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread thread_;
};

}  // namespace pd
