#pragma once
// What one step does: prompt chunks one after another, then one token for each row.

#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/load.h"

namespace pd {

// Tokens position..position+count of a prompt, inside one cell of the chunk grid.
struct ChunkPlan {
  SequenceNumber number = 0;
  std::uint32_t position = 0, count = 0;
};

struct Batch {
  std::vector<ChunkPlan> chunks;
  std::vector<SequenceNumber> rows;
  std::optional<SequenceNumber> victim;  // nobody who runs can go on: this one gives its pages back
};

}  // namespace pd
