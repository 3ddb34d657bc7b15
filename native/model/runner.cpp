#include "model/runner.h"

#include <algorithm>
#include <atomic>

#include "core/check.h"
#include "model/cpu.h"
#include "model/graph_cache.h"

namespace pd {
namespace {

void expect_same_layout(const ModelShape& model, const KvLayout& pool) {
  PD_CHECK(model.layers == pool.layers && model.kv_heads == pool.kv_heads && model.head_dim == pool.head_dim,
           "the page pool is laid out for this model");
}

class CpuRunner final : public Runner {
 public:
  CpuRunner(const LoadedModel& model, Region& region, const RunnerOptions& options)
      : model_(model),
        kv_(region),
        backend_(
            static_cast<int>(options.threads),
            [](void* self) { return static_cast<CpuRunner*>(self)->aborted_.load(); }, this),
        graphs_(model_, kv_) {
    expect_same_layout(model.shape(), region.layout());
    check_graph_views();
  }

  RunResult prefill(const PrefillChunk& chunk, const std::function<void(std::uint32_t)>& on_layer) override {
    const auto tokens = static_cast<std::uint32_t>(chunk.tokens.size());
    PD_CHECK(chunk.position % chunk_tokens + tokens <= chunk_tokens, "a chunk lies inside one cell of the grid");
    const StepSequence sequence{.pages = chunk.pages, .position = chunk.position, .tokens = chunk.tokens};
    const StepShape shape{.sequences = 1,
                          .tokens = std::max(tokens, rows_min()),
                          .kv_tokens = kv_tokens_for({&sequence, 1}),
                          .logits = chunk.wants_logits ? StepShape::Logits::last : StepShape::Logits::none};
    return run({&sequence, 1}, shape, on_layer, chunk.wants_logits ? 1 : 0);
  }

  RunResult decode(std::span<const DecodeRow> rows) override {
    std::vector<StepSequence> sequences;
    sequences.reserve(rows.size());
    for (const DecodeRow& row : rows) {
      sequences.push_back({.pages = row.pages, .position = row.position, .tokens = {&row.token, 1}});
    }
    const StepShape shape{.sequences = std::max(static_cast<std::uint32_t>(rows.size()), rows_min()),
                          .tokens = 1,
                          .kv_tokens = kv_tokens_for(sequences),
                          .logits = StepShape::Logits::all};
    return run(sequences, shape, {}, rows.size());
  }

  void abort() override { aborted_ = true; }

 private:
  // ggml multiplies one row of floats by another path than many, with other rounding.
  std::uint32_t rows_min() const { return model_.rows_need_padding() ? 2 : 1; }

  RunResult run(std::span<const StepSequence> sequences, const StepShape& shape,
                const std::function<void(std::uint32_t)>& on_layer, std::size_t logit_rows) {
    aborted_ = false;
    StepGraph& graph = graphs_.graph(shape);
    graph.set(inputs_of(sequences, shape));
    if (!graph.compute(backend_.get(), on_layer)) return {.status = RunStatus::aborted, .logits = {}};
    logits_.resize(logit_rows * model_.shape().vocab);
    if (!logits_.empty()) graph.get_logits(logits_);
    return {.status = RunStatus::done, .logits = logits_};
  }

  const LoadedModel& model_;
  KvTensors kv_;
  std::atomic<bool> aborted_{false};
  CpuBackend backend_;
  GraphCache graphs_;
  std::vector<float> logits_;  // (rows that wanted them, vocab)
};

}  // namespace

std::unique_ptr<Runner> Runner::create(Model& model, Region& region, const RunnerOptions& options) {
  return std::make_unique<CpuRunner>(static_cast<LoadedModel&>(model), region, options);
}

}  // namespace pd
