#pragma once
// The whole computation of one step, for one shape.

#include <functional>
#include <memory>
#include <vector>

#include "ggml-alloc.h"
#include "ggml-backend.h"
#include "model/graph_pieces.h"
#include "model/kv_tensors.h"
#include "model/loaded_model.h"
#include "model/step_inputs.h"

namespace pd {

class StepGraph {
 public:
  StepGraph(const LoadedModel& model, const KvTensors& kv, const StepShape& shape);
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  std::size_t memory_bytes() const;  // of intermediate results
  void set(const StepInputs& inputs);
  // on_layer: empty, and the graph runs as one; else called when a layer's keys and values are written.
  // false: aborted.
  [[nodiscard]] bool compute(ggml_backend_t backend, const std::function<void(std::uint32_t layer)>& on_layer);
  void get_logits(std::span<float> logits) const;

 private:
  struct Free {
    void operator()(ggml_context* context) const { ggml_free(context); }
    void operator()(ggml_gallocr* memory) const { ggml_gallocr_free(memory); }
  };

  ggml_tensor* layer(const LoadedModel& model, const KvTensors& kv, std::uint32_t index, ggml_tensor* x);
  void finish(const LoadedModel& model, ggml_tensor* x);

  StepShape shape_;
  std::unique_ptr<ggml_context, Free> context_;
  ggml_cgraph* graph_ = nullptr;
  ggml_tensor *tokens_ = nullptr, *positions_ = nullptr, *cells_ = nullptr, *pages_ = nullptr, *mask_ = nullptr;
  ggml_tensor* logits_ = nullptr;
  std::vector<int> layer_ends_;  // the node after which a layer's keys and values are written
  std::unique_ptr<GraphPieces> pieces_;
  std::unique_ptr<ggml_gallocr, Free> memory_;
};

}  // namespace pd
