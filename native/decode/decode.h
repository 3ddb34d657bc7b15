#pragma once
// One token for every running sequence, in one call.

#include <cstdint>
#include <span>
#include <vector>

#include "core/request.h"
#include "model/runner.h"

namespace pd {

struct RunningSequence {
  std::span<const PageId> pages;
  std::uint32_t position = 0;  // of `token`, whose row this step computes
  TokenId token = 0;           // drawn last
  Sampling sampling;
};

struct StepResult {
  RunStatus status = RunStatus::done;
  std::vector<TokenId> tokens;  // one a sequence, at position + 1; none when aborted
};

StepResult run_step(Runner& runner, std::span<const RunningSequence> sequences);

}  // namespace pd
