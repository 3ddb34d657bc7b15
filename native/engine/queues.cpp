#include "engine/queues.h"

#include <algorithm>

namespace pd {

void Queues::add_row(Sequence& sequence) {
  const auto younger = std::ranges::upper_bound(rows, sequence.number, {}, &Sequence::number);
  rows.insert(younger, &sequence);
}

void Queues::remove(const Sequence& sequence) {
  std::erase(prompts, &sequence);
  std::erase(ready, &sequence);
  std::erase(rows, &sequence);
}

}  // namespace pd
