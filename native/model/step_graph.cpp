#include "model/step_graph.h"

#include "core/check.h"
#include "model/attention.h"
#include "model/cpu.h"

namespace pd {
namespace {

// More than any architecture here needs; ggml wants to know before it builds.
constexpr std::size_t nodes_a_layer = 48, nodes_besides = 32;

ggml_tensor* input(ggml_context* context, ggml_type type, std::array<std::int64_t, 4> sizes) {
  ggml_tensor* tensor = ggml_new_tensor(context, type, 4, sizes.data());
  ggml_set_input(tensor);
  return tensor;
}

ggml_tensor* normed(ggml_context* context, ggml_tensor* x, ggml_tensor* weight, const ModelShape& shape) {
  return ggml_mul(context, ggml_rms_norm(context, x, shape.norm_epsilon), weight);
}

// (rows, heads * head_dim) to (rows, heads, head_dim), turned by position.
ggml_tensor* roped(ggml_context* context, ggml_tensor* x, ggml_tensor* positions, const LoadedModel& model) {
  const ModelShape& shape = model.shape();
  ggml_tensor* heads = ggml_reshape_3d(context, x, shape.head_dim, x->ne[0] / shape.head_dim, x->ne[1]);
  return ggml_rope_ext(context, heads, positions, model.weights().rope_factors, static_cast<int>(shape.rope_dimensions),
                       model.rope_type(), 0, shape.rope_base, 1.0f, 0.0f, 1.0f, 32.0f, 1.0f);
}

ggml_tensor* feed_forward(ggml_context* context, ggml_tensor* x, const LayerWeights& weights) {
  ggml_tensor* gate = ggml_mul_mat(context, weights.gate, x);
  ggml_tensor* up = ggml_mul_mat(context, weights.up, x);
  return ggml_mul_mat(context, weights.down, ggml_swiglu_split(context, gate, up));
}

ggml_tensor* last_row(ggml_context* context, ggml_tensor* x) {
  return ggml_view_2d(context, x, x->ne[0], 1, x->nb[1], x->nb[1] * static_cast<std::size_t>(x->ne[1] - 1));
}

}  // namespace

StepGraph::StepGraph(const LoadedModel& model, const KvTensors& kv, const StepShape& shape) : shape_(shape) {
  const std::size_t nodes = nodes_a_layer * model.shape().layers + nodes_besides;
  context_.reset(ggml_init({.mem_size = ggml_tensor_overhead() * nodes + ggml_graph_overhead_custom(nodes, false),
                            .mem_buffer = nullptr,
                            .no_alloc = true}));
  ggml_context* context = context_.get();
  graph_ = ggml_new_graph_custom(context, nodes, false);
  tokens_ = input(context, GGML_TYPE_I32, {shape.rows(), 1, 1, 1});
  positions_ = input(context, GGML_TYPE_I32, {shape.rows(), 1, 1, 1});
  cells_ = input(context, GGML_TYPE_I64, {shape.rows(), 1, 1, 1});
  pages_ = input(context, GGML_TYPE_I32, {std::int64_t{shape.kv_tokens / page_tokens} * shape.sequences, 1, 1, 1});
  mask_ = input(context, GGML_TYPE_F16, {shape.kv_tokens, shape.tokens, 1, shape.sequences});

  ggml_tensor* x = ggml_get_rows(context, model.weights().token_embedding, tokens_);
  for (std::uint32_t i = 0; i < model.shape().layers; ++i) x = layer(model, kv, i, x);
  if (shape.logits != StepShape::Logits::none) finish(model, x);

  pieces_ = std::make_unique<GraphPieces>(graph_, layer_ends_);
  memory_.reset(ggml_gallocr_new(ggml_backend_dev_buffer_type(cpu_device())));
  PD_CHECK(ggml_gallocr_alloc_graph(memory_.get(), graph_), "there is memory for the results of a step");
}

ggml_tensor* StepGraph::layer(const LoadedModel& model, const KvTensors& kv, std::uint32_t index, ggml_tensor* x) {
  ggml_context* context = context_.get();
  const LayerWeights& weights = model.weights().layers[index];
  ggml_tensor* in = normed(context, x, weights.attention_norm, model.shape());

  ggml_tensor* keys = roped(context, ggml_mul_mat(context, weights.keys, in), positions_, model);
  ggml_tensor* values = ggml_mul_mat(context, weights.values, in);
  ggml_tensor* key_rows = ggml_view_2d(context, keys, values->ne[0], shape_.rows(), keys->nb[2], 0);
  ggml_build_forward_expand(graph_, ggml_set_rows(context, kv.layer(index).keys, key_rows, cells_));
  ggml_tensor* written = ggml_set_rows(context, kv.layer(index).values, values, cells_);
  ggml_build_forward_expand(graph_, written);
  layer_ends_.push_back(ggml_graph_n_nodes(graph_));

  const bool is_last = index + 1 == model.shape().layers;
  if (is_last && shape_.logits == StepShape::Logits::none) return x;  // nobody wants more than the keys and values

  ggml_tensor* queries = roped(context, ggml_mul_mat(context, weights.queries, in), positions_, model);
  ggml_tensor* attended = attend(context, kv.layout(), shape_, queries, written, {.pages = pages_, .mask = mask_});
  if (is_last && shape_.logits == StepShape::Logits::last) {
    attended = last_row(context, attended);
    x = last_row(context, x);
  }
  x = ggml_add(context, x, ggml_mul_mat(context, weights.attention_output, attended));
  ggml_tensor* out = feed_forward(context, normed(context, x, weights.feed_forward_norm, model.shape()), weights);
  return ggml_add(context, x, out);
}

void StepGraph::finish(const LoadedModel& model, ggml_tensor* x) {
  ggml_tensor* in = normed(context_.get(), x, model.weights().output_norm, model.shape());
  logits_ = ggml_mul_mat(context_.get(), model.weights().output, in);
  ggml_set_output(logits_);
  ggml_build_forward_expand(graph_, logits_);
}

std::size_t StepGraph::memory_bytes() const { return ggml_gallocr_get_buffer_size(memory_.get(), 0); }

void StepGraph::set(const StepInputs& inputs) {
  const auto set = [](ggml_tensor* tensor, const void* data) {
    // A graph without logits may be so short that it does not use an input.
    if (tensor->buffer != nullptr) ggml_backend_tensor_set(tensor, data, 0, ggml_nbytes(tensor));
  };
  set(tokens_, inputs.tokens.data());
  set(positions_, inputs.positions.data());
  set(cells_, inputs.cells.data());
  set(pages_, inputs.pages.data());
  set(mask_, inputs.mask.data());
}

bool StepGraph::compute(ggml_backend_t backend, const std::function<void(std::uint32_t layer)>& on_layer) {
  const auto done = [](ggml_status status) {
    PD_CHECK(status == GGML_STATUS_SUCCESS || status == GGML_STATUS_ABORTED, "a graph is computed or aborted");
    return status == GGML_STATUS_SUCCESS;
  };
  if (!on_layer) return done(ggml_backend_graph_compute(backend, graph_));
  for (std::size_t i = 0; i < pieces_->count(); ++i) {
    if (!done(pieces_->compute(backend, i))) return false;
    if (i < layer_ends_.size()) on_layer(static_cast<std::uint32_t>(i));
  }
  return true;
}

void StepGraph::get_logits(std::span<float> logits) const {
  PD_CHECK(logits_ != nullptr && logits.size_bytes() <= ggml_nbytes(logits_), "the step computed these logits");
  ggml_backend_tensor_get(logits_, logits.data(), 0, logits.size_bytes());
}

}  // namespace pd
