#pragma once
// What is known of each architecture: its tensors, their shapes and its rope. One row an architecture.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ggml.h"
#include "model/gguf_file.h"
#include "model/model.h"

namespace pd {

// The sizes that a tensor's sides can have.
enum class Extent { one, embedding, queries, keys, feed_forward };

struct LayerWeights {
  ggml_tensor *attention_norm, *queries, *keys, *values, *attention_output;
  ggml_tensor *feed_forward_norm, *gate, *up, *down;
};

struct LayerTensor {
  std::string_view name;  // between "blk.<layer>." and ".weight"
  Extent in, out;         // out one: a vector
  ggml_tensor* LayerWeights::* place;
};

struct Architecture {
  std::string_view name;  // general.architecture, and the prefix of its keys
  int rope_type;          // GGML_ROPE_TYPE_*: which elements of a head turn together
  std::span<const LayerTensor> layer;
};

// Of the file's architecture; an unknown one is refused.
const Architecture& architecture_of(const GgufFile& file);

// From the file's keys; what cannot be served is refused. `vocab` comes from the token embedding.
ModelShape shape_of(const GgufFile& file, const Architecture& architecture);

std::int64_t size_of(Extent extent, const ModelShape& shape);

// "Supported are …": the end of each ModelError.
std::string supported_files();

}  // namespace pd
