#pragma once
// The one thread that owns sequences, pages and transfers.

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/batch_runner.h"
#include "engine/engine.h"
#include "engine/inbox.h"
#include "engine/reporter.h"
#include "engine/wake.h"

namespace pd {

struct LoopParts {
  const EngineOptions& options;
  const Clock& clock;
  Wake& wake;
  Inbox& inbox;
  Admission& admission;
  FlightRecorder& recorder;
  StateBoard& board;
  PagePool& pool;
  Runner& runner;
  const Tokenizer& tokenizer;
  Lifecycle& lifecycle;
  Side& side;
  OnStep on_step;
};

class Loop {
 public:
  explicit Loop(LoopParts parts);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() { stop(); }

  void start();
  void stop();  // from any other thread: fails what is live, tells peers, joins

 private:
  void run();
  void step();
  void admit();
  void advance_transfers();
  void publish();
  void wait_for_work();
  void shut_down();

  void fill_rows();  // ready sequences take free places among the rows
  std::optional<Batch> next_batch();
  void take(SubmitMessage& message);
  void take(AbortMessage& message);
  void take(FinishMessage& message);
  void take(AbortRoomMessage& message);

  LoopParts parts_;
  BatchRunner runner_;
  Reporter reporter_;
  std::atomic<bool> stopping_{false};
  std::uint64_t steps_ = 0;
  std::mutex stop_mutex_;  // stop() from several threads
  std::thread thread_;
};

}  // namespace pd
