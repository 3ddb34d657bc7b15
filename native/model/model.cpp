#include "model/model.h"

#include <cstdio>

#include "model/loaded_model.h"

namespace pd {
namespace {

// Counts up whenever a change of the engine gives other keys and values for the same tokens.
constexpr int engine_abi = 1;

std::string first_hex_of(const Digest& digest) {
  char hex[17] = {};
  for (std::size_t i = 0; i < 8; ++i) std::snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  return hex;
}

std::string words_of(const GgufFile& file, const ModelShape& shape) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  char rope_base[32] = {};
  std::snprintf(rope_base, sizeof rope_base, "%.9g", static_cast<double>(shape.rope_base));
  return "engine ABI " + std::to_string(engine_abi) + ", model " + first_hex_of(file.content_hash()) +
         ", architecture " + shape.architecture + ", KV f16, page " + number(page_tokens) + ", layers " +
         number(shape.layers) + ", KV heads " + number(shape.kv_heads) + ", head size " + number(shape.head_dim) +
         ", rope " + number(shape.rope_dimensions) + " base " + rope_base;
}

}  // namespace

std::unique_ptr<Model> Model::load(const std::string& path, WeightPolicy policy) {
  const GgufFile file(path);
  return std::make_unique<LoadedModel>(file, policy);
}

LoadedModel::LoadedModel(const GgufFile& file, WeightPolicy policy)
    : architecture_(architecture_of(file)),
      shape_(shape_of(file, architecture_)),
      weights_(file, architecture_, shape_, policy),
      fingerprint_words_(words_of(file, shape_)),
      fingerprint_(
          sha256({reinterpret_cast<const std::uint8_t*>(fingerprint_words_.data()), fingerprint_words_.size()})) {}

}  // namespace pd
