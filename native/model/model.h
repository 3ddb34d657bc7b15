#pragma once
// A GGUF model of a supported architecture, its weights on one ggml backend.

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/hash.h"
#include "kv/layout.h"

namespace pd {

// A file that cannot be served. what() names the file, what was found and what is supported.
struct ModelError : std::runtime_error { using std::runtime_error::runtime_error; };

struct ModelShape {
  std::string architecture;  // "llama"
  std::string name;          // general.name, else the file's name
  std::uint32_t layers, embedding, heads, kv_heads, head_dim, feed_forward, vocab, rope_dimensions, context_max;
  float norm_epsilon, rope_base;
};

// Which type matrices have in memory. `fast` turns types that are slow on CPU (Q4_1 and its like) into Q8_0.
enum class WeightPolicy { fast, as_stored };

class Model {
 public:
  // Throws ModelError. Loads ggml's backends the first time.
  static std::unique_ptr<Model> load(const std::string& path, WeightPolicy policy);
  virtual ~Model() = default;

  virtual const ModelShape& shape() const = 0;
  // Of everything that must be equal for keys and values to mean the same on two engines: model content,
  // architecture, KV type, page, layers, heads, head size, rope, engine ABI. Not of the pool's size.
  virtual const Digest& fingerprint() const = 0;
  // The same in words, for the error that names both sides.
  virtual const std::string& fingerprint_words() const = 0;
  virtual bool rows_need_padding() const = 0;  // F16/F32 weights: a single row is computed as two
};

}  // namespace pd
