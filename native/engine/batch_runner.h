#pragma once
// Carries out a batch: prompt chunks one after another, then one token for each row. Between layers and
// between chunks it attends to the world, so that nothing waits longer than a chunk. Loop thread only.

#include <functional>
#include <vector>

#include "engine/lifecycle.h"
#include "engine/side.h"
#include "model/runner.h"
#include "model/tokenizer.h"
#include "scheduler/batch.h"

namespace pd {

struct BatchRunnerParts {
  Runner& runner;
  const Tokenizer& tokenizer;
  PagePool& pool;
  const Clock& clock;
  Lifecycle& lifecycle;
  Side& side;
  std::function<void()> attend;  // inbox and transfers, into marks
  std::function<bool()> stopping;
};

class BatchRunner {
 public:
  explicit BatchRunner(BatchRunnerParts parts) : parts_(std::move(parts)) {}

  void run(const Batch& batch);
  Nanos token_cost() const { return token_cost_; }  // of one prompt token, smoothed; 0: not measured yet

 private:
  void run_chunk(const ChunkPlan& plan);
  bool begin_prompt(Sequence& sequence);
  void run_rows(const std::vector<SequenceNumber>& numbers);
  bool grow(Sequence& sequence);
  void fail_victim(SequenceNumber number);
  void measure(std::uint32_t tokens, Nanos took);

  BatchRunnerParts parts_;
  Nanos token_cost_ = 0;
};

}  // namespace pd
