#pragma once
// The tensors of a model, in memory where the CPU's kernels want them.

#include <memory>
#include <vector>

#include "ggml-backend.h"
#include "ggml.h"
#include "model/architecture.h"
#include "model/gguf_file.h"
#include "model/model.h"

namespace pd {

class Weights {
 public:
  // Refuses what is missing, has another shape or type, or is not known: an unknown tensor would be part
  // of a computation that we do not do.
  Weights(const GgufFile& file, const Architecture& architecture, const ModelShape& shape, WeightPolicy policy);
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;

  ggml_tensor* token_embedding = nullptr;
  ggml_tensor* output_norm = nullptr;
  ggml_tensor* output = nullptr;        // the token embedding itself where the file has no other
  ggml_tensor* rope_factors = nullptr;  // optional
  std::vector<LayerWeights> layers;

  // Some matrix is F16, BF16 or F32.
  bool has_float_matrices = false;

 private:
  struct Free {
    void operator()(ggml_context* context) const { ggml_free(context); }
    void operator()(ggml_backend_buffer* buffer) const { ggml_backend_buffer_free(buffer); }
  };
  using Context = std::unique_ptr<ggml_context, Free>;
  using Buffer = std::unique_ptr<ggml_backend_buffer, Free>;

  Context plain_, repacked_;
  Buffer plain_memory_, repacked_memory_;
};

}  // namespace pd
