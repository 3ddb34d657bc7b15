#include "model/attention.h"

#include <array>
#include <cmath>
#include <cstring>

namespace pd {
namespace {

struct View {
  ggml_type type;
  std::array<std::int64_t, 4> sizes;
  std::array<std::size_t, 3> strides;  // bytes, of sizes 1 to 3
  std::size_t offset;                  // bytes, from the first byte of the memory
};

// The same bytes as another type. ggml's own views keep the type, so this one is filled by hand: every
// backend treats a VIEW as nothing to do.
ggml_tensor* view_as(ggml_context* context, ggml_tensor* of, const View& view) {
  ggml_tensor* tensor = ggml_new_tensor(context, view.type, 4, view.sizes.data());
  for (std::size_t i = 0; i < view.strides.size(); ++i) tensor->nb[i + 1] = view.strides[i];
  tensor->op = GGML_OP_VIEW;
  tensor->src[0] = of;
  tensor->view_src = of->view_src != nullptr ? of->view_src : of;
  tensor->view_offs = view.offset;
  std::memcpy(tensor->op_params, &view.offset, sizeof view.offset);
  if (tensor->view_src->data != nullptr) tensor->data = static_cast<char*>(tensor->view_src->data) + view.offset;
  return tensor;
}

// As I32, because only I32 rows are gathered without a change of type: a gather of F16 rows gives F32.
ggml_tensor* gather(ggml_context* context, const KvLayout& layout, ggml_tensor* written, ggml_tensor* pages) {
  const std::size_t page_bytes = layout.page_bytes();
  const std::size_t layer_bytes = layout.layer_bytes();
  ggml_tensor* pool =
      view_as(context, written,
              {.type = GGML_TYPE_I32,
               .sizes = {static_cast<std::int64_t>(page_bytes / sizeof(std::int32_t)), layout.pages, 1, 1},
               .strides = {page_bytes, layer_bytes, layer_bytes},
               .offset = 0});
  return ggml_get_rows(context, pool, pages);
}

}  // namespace

ggml_tensor* attend(ggml_context* context, const KvLayout& layout, const StepShape& shape, ggml_tensor* queries,
                    ggml_tensor* written, const AttentionInputs& inputs) {
  ggml_tensor* gathered = gather(context, layout, written, inputs.pages);
  View view{
      .type = GGML_TYPE_F16,
      .sizes = {layout.head_dim, shape.kv_tokens, layout.kv_heads, shape.sequences},
      .strides = {layout.token_bytes(), layout.head_dim * sizeof(ggml_fp16_t), layout.token_bytes() * shape.kv_tokens},
      .offset = 0};
  ggml_tensor* keys = view_as(context, gathered, view);
  view.offset = layout.row_bytes();
  ggml_tensor* values = view_as(context, gathered, view);

  ggml_tensor* by_sequence =
      ggml_view_4d(context, queries, queries->ne[0], queries->ne[1], shape.tokens, shape.sequences, queries->nb[1],
                   queries->nb[2], queries->nb[2] * shape.tokens, 0);
  const float scale = 1.0f / std::sqrt(static_cast<float>(layout.head_dim));
  ggml_tensor* result = ggml_flash_attn_ext(context, ggml_permute(context, by_sequence, 0, 2, 1, 3), keys, values,
                                            inputs.mask, scale, 0.0f, 0.0f);
  ggml_flash_attn_ext_set_prec(result, GGML_PREC_F32);
  return ggml_reshape_2d(context, result, queries->ne[0] * queries->ne[1], shape.rows());
}

}  // namespace pd
