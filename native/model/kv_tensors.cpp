#include "model/kv_tensors.h"

namespace pd {

KvTensors::KvTensors(Region& region) : layout_(region.layout()) {
  const std::size_t tensors = std::size_t{3} * layout_.layers;
  context_.reset(ggml_init({.mem_size = ggml_tensor_overhead() * tensors, .mem_buffer = nullptr, .no_alloc = true}));
  memory_.reset(ggml_backend_cpu_buffer_from_ptr(region.pages(), layout_.pages_bytes()));
  const std::int64_t row = std::int64_t{layout_.kv_heads} * layout_.head_dim;
  const std::int64_t cells = std::int64_t{layout_.pages} * page_tokens;
  for (std::uint32_t i = 0; i < layout_.layers; ++i) {
    ggml_tensor* pool = ggml_new_tensor_2d(context_.get(), GGML_TYPE_F16, 2 * row, cells);
    ggml_backend_tensor_alloc(memory_.get(), pool, region.pages() + layout_.offset(i, 0));
    ggml_tensor* keys = ggml_view_2d(context_.get(), pool, row, cells, layout_.token_bytes(), 0);
    ggml_tensor* values = ggml_view_2d(context_.get(), pool, row, cells, layout_.token_bytes(), layout_.row_bytes());
    ggml_backend_view_init(keys);
    ggml_backend_view_init(values);
    layers_.push_back({keys, values});
  }
}

}  // namespace pd
