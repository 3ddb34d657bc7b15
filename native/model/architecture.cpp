#include "model/architecture.h"

#include <array>
#include <cmath>
#include <filesystem>

#include "core/check.h"

namespace pd {
namespace {

constexpr std::array llama_layer = {
    LayerTensor{"attn_norm", Extent::embedding, Extent::one, &LayerWeights::attention_norm},
    LayerTensor{"attn_q", Extent::embedding, Extent::queries, &LayerWeights::queries},
    LayerTensor{"attn_k", Extent::embedding, Extent::keys, &LayerWeights::keys},
    LayerTensor{"attn_v", Extent::embedding, Extent::keys, &LayerWeights::values},
    LayerTensor{"attn_output", Extent::queries, Extent::embedding, &LayerWeights::attention_output},
    LayerTensor{"ffn_norm", Extent::embedding, Extent::one, &LayerWeights::feed_forward_norm},
    LayerTensor{"ffn_gate", Extent::embedding, Extent::feed_forward, &LayerWeights::gate},
    LayerTensor{"ffn_up", Extent::embedding, Extent::feed_forward, &LayerWeights::up},
    LayerTensor{"ffn_down", Extent::feed_forward, Extent::embedding, &LayerWeights::down},
};

constexpr std::array architectures = {
    Architecture{"llama", GGML_ROPE_TYPE_NORMAL, llama_layer},
};

// Far above any model, and small enough that products of two fit into 63 bits.
constexpr std::uint32_t number_max = 1u << 24;

class Keys {
 public:
  Keys(const GgufFile& file, const Architecture& architecture)
      : file_(file), prefix_(std::string(architecture.name) + ".") {}

  std::string name(const char* key) const { return prefix_ + key; }

  std::uint32_t number(const char* key) const {
    const std::optional<std::uint32_t> value = file_.number(name(key));
    if (!value) missing(key);
    return in_bounds(key, *value);
  }
  std::uint32_t number(const char* key, std::uint32_t otherwise) const {
    return in_bounds(key, file_.number(name(key)).value_or(otherwise));
  }
  float real(const char* key) const {
    const std::optional<float> value = file_.real(name(key));
    if (!value) missing(key);
    return positive(key, *value);
  }
  float real(const char* key, float otherwise) const {
    return positive(key, file_.real(name(key)).value_or(otherwise));
  }

 private:
  [[noreturn]] void missing(const char* key) const { file_.refuse("it has no key " + name(key)); }
  std::uint32_t in_bounds(const char* key, std::uint32_t value) const {
    if (value == 0 || value > number_max) file_.refuse("its key " + name(key) + " is " + std::to_string(value));
    return value;
  }
  float positive(const char* key, float value) const {
    if (!std::isfinite(value) || value <= 0) file_.refuse("its key " + name(key) + " is " + std::to_string(value));
    return value;
  }

  const GgufFile& file_;
  std::string prefix_;
};

void refuse_other_rope(const GgufFile& file, const Keys& keys) {
  const std::string scaling = file.text(keys.name("rope.scaling.type")).value_or("none");
  if (scaling != "none") file.refuse("its rope scaling is '" + scaling + "', supported is none");
  for (const char* key : {"rope.scaling.factor", "rope.scale_linear"}) {
    const float factor = keys.real(key, 1.0f);
    if (factor != 1.0f) file.refuse("its " + keys.name(key) + " is " + std::to_string(factor) + ", supported is 1");
  }
}

void refuse_odd_heads(const GgufFile& file, const ModelShape& shape, std::uint32_t value_length) {
  const auto words = [](std::uint32_t number) { return std::to_string(number); };
  if (shape.heads % shape.kv_heads != 0) {
    file.refuse("it has " + words(shape.heads) + " heads, which " + words(shape.kv_heads) + " KV heads do not divide");
  }
  if (value_length != shape.head_dim) {
    file.refuse("its keys have " + words(shape.head_dim) + " elements a head and its values " + words(value_length) +
                ", supported are equal sizes");
  }
  if (shape.rope_dimensions % 2 != 0 || shape.rope_dimensions > shape.head_dim) {
    file.refuse("its rope turns " + words(shape.rope_dimensions) + " of " + words(shape.head_dim) +
                " elements of a head, supported is an even number of them");
  }
}

}  // namespace

const Architecture& architecture_of(const GgufFile& file) {
  const std::optional<std::string> name = file.text("general.architecture");
  if (!name) file.refuse("it has no key general.architecture");
  for (const Architecture& architecture : architectures) {
    if (architecture.name == *name) return architecture;
  }
  file.refuse("its architecture is '" + *name + "'");
}

ModelShape shape_of(const GgufFile& file, const Architecture& architecture) {
  const Keys keys(file, architecture);
  const ggml_tensor* embedding = file.tensor("token_embd.weight");
  if (embedding == nullptr) file.refuse("it has no tensor token_embd.weight");

  ModelShape shape{};
  shape.architecture = architecture.name;
  shape.name = file.text("general.name").value_or(std::filesystem::path(file.path()).stem().string());
  shape.layers = keys.number("block_count");
  shape.embedding = keys.number("embedding_length");
  shape.heads = keys.number("attention.head_count");
  shape.kv_heads = keys.number("attention.head_count_kv", shape.heads);
  shape.head_dim = keys.number("attention.key_length", shape.embedding / shape.heads);
  shape.feed_forward = keys.number("feed_forward_length");
  shape.rope_dimensions = keys.number("rope.dimension_count", shape.head_dim);
  shape.context_max = keys.number("context_length");
  shape.norm_epsilon = keys.real("attention.layer_norm_rms_epsilon");
  shape.rope_base = keys.real("rope.freq_base", 10000.0f);
  refuse_odd_heads(file, shape, keys.number("attention.value_length", shape.head_dim));
  refuse_other_rope(file, keys);

  if (embedding->ne[1] > number_max) file.refuse("its vocabulary has " + std::to_string(embedding->ne[1]) + " tokens");
  shape.vocab = static_cast<std::uint32_t>(embedding->ne[1]);
  const std::uint64_t tokens = file.list_length("tokenizer.ggml.tokens").value_or(shape.vocab);
  if (tokens != shape.vocab) {
    file.refuse("its vocabulary names " + std::to_string(tokens) + " tokens, its token embedding has " +
                std::to_string(shape.vocab));
  }
  return shape;
}

std::int64_t size_of(Extent extent, const ModelShape& shape) {
  switch (extent) {
    case Extent::one: return 1;
    case Extent::embedding: return shape.embedding;
    case Extent::queries: return std::int64_t{shape.heads} * shape.head_dim;
    case Extent::keys: return std::int64_t{shape.kv_heads} * shape.head_dim;
    case Extent::feed_forward: return shape.feed_forward;
  }
  PD_CHECK(false, "an extent is one of the enum");
}

std::string supported_files() {
  std::string names;
  for (const Architecture& architecture : architectures) {
    names += (names.empty() ? "" : ", ") + std::string(architecture.name);
  }
  return "Supported are complete GGUF files (version 2 or 3) of the architecture " + names;
}

}  // namespace pd
