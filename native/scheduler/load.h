#pragma once
// What the scheduler is told: who waits, who runs, and what is left of pages and time.

#include <cstdint>
#include <span>

#include "core/ids.h"

namespace pd {

// The order of arrival in this engine: lower is older. Never used twice.
using SequenceNumber = std::uint64_t;

// A prompt that is not computed to its end.
struct PromptLoad {
  SequenceNumber number = 0;
  std::uint32_t rows_computed = 0, rows_total = 0;
  bool has_pages = false;  // of the whole prompt: it has begun
};

// A sequence that generates.
struct RowLoad {
  SequenceNumber number = 0;
  std::uint32_t rows = 0;  // in its pages; the next row goes to this position
  std::uint32_t pages = 0;
};

struct Load {
  std::span<const PromptLoad> prompts;  // first come, first served
  std::span<const RowLoad> rows;        // oldest first
  std::uint32_t pages_free = 0;
  std::uint32_t pages_kept = 0;   // for the growth of what runs; no prompt begins with them
  std::uint32_t prompts_max = 0;  // begun at once: each will need a place among the rows
  Nanos token_cost = 0;           // of one prompt token, as measured; 0: not known yet
};

}  // namespace pd
