#pragma once
// Who waits for which resource. The sequences themselves belong to Sequences.

#include <deque>
#include <vector>

#include "engine/sequence.h"

namespace pd {

struct Queues {
  std::deque<Sequence*> prompts;  // not computed to the end, in the order in which they may run
  std::deque<Sequence*> ready;    // may generate as soon as there is a place among the rows
  std::vector<Sequence*> rows;    // generate, oldest first

  void add_row(Sequence& sequence);  // at its place by age
  void remove(const Sequence& sequence);
};

}  // namespace pd
