#include "model/graph_cache.h"

#include <algorithm>

namespace pd {
namespace {

// Each graph has memory of its own for intermediate results: a few MB for a small model, far more for a large one.
constexpr std::size_t graphs_max = 32;
constexpr std::size_t memory_bytes_max = 128u << 20;

}  // namespace

StepGraph& GraphCache::graph(const StepShape& shape) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.shape == shape; });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
  } else {
    entries_.push_front({shape, std::make_unique<StepGraph>(model_, kv_, shape)});
    drop_oldest();
  }
  return *entries_.front().graph;
}

void GraphCache::drop_oldest() {
  std::size_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.graph->memory_bytes();
  while (entries_.size() > 1 && (entries_.size() > graphs_max || bytes > memory_bytes_max)) {
    bytes -= entries_.back().graph->memory_bytes();
    entries_.pop_back();
  }
}

}  // namespace pd
