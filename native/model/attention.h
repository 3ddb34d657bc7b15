#pragma once
// Attention over pages that lie anywhere in the pool.

#include "ggml.h"
#include "kv/layout.h"
#include "model/step_inputs.h"

namespace pd {

struct AttentionInputs {
  ggml_tensor* pages;  // I32: the pages of all sequences, one after the other
  ggml_tensor* mask;   // F16 (sequences, 1, tokens, kv_tokens)
};

// queries: F32 (rows, heads, head_dim), after rope. written: what ggml_set_rows gave for this layer's values,
// so that nothing is read before it is written. Result: (rows, heads * head_dim).
ggml_tensor* attend(ggml_context* context, const KvLayout& layout, const StepShape& shape, ggml_tensor* queries,
                    ggml_tensor* written, const AttentionInputs& inputs);

}  // namespace pd
