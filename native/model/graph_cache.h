#pragma once
// Graphs by shape, the most recently used first. Building one takes about half a millisecond.

#include <list>
#include <memory>

#include "model/step_graph.h"

namespace pd {

class GraphCache {
 public:
  GraphCache(const LoadedModel& model, const KvTensors& kv) : model_(model), kv_(kv) {}

  StepGraph& graph(const StepShape& shape);  // valid until the next call
  std::size_t count() const { return entries_.size(); }

 private:
  struct Entry {
    StepShape shape;
    std::unique_ptr<StepGraph> graph;
  };
  void drop_oldest();

  const LoadedModel& model_;
  const KvTensors& kv_;
  std::list<Entry> entries_;
};

}  // namespace pd
