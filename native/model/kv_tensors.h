#pragma once
// The page pool as ggml sees it: one backend buffer over the region's memory, one tensor a layer.

#include <memory>
#include <vector>

#include "ggml-backend.h"
#include "ggml.h"
#include "kv/region.h"

namespace pd {

struct KvLayer {
  ggml_tensor* keys;    // F16 (cells, kv_heads * head_dim), every second row of the pool: where K rows are written
  ggml_tensor* values;  // the same, one row further
};

class KvTensors {
 public:
  explicit KvTensors(Region& region);
  KvTensors(const KvTensors&) = delete;
  KvTensors& operator=(const KvTensors&) = delete;

  const KvLayout& layout() const { return layout_; }
  const KvLayer& layer(std::uint32_t index) const { return layers_[index]; }

 private:
  struct Free {
    void operator()(ggml_context* context) const { ggml_free(context); }
    void operator()(ggml_backend_buffer* buffer) const { ggml_backend_buffer_free(buffer); }
  };

  KvLayout layout_;
  std::unique_ptr<ggml_context, Free> context_;
  std::unique_ptr<ggml_backend_buffer, Free> memory_;
  std::vector<KvLayer> layers_;
};

}  // namespace pd
