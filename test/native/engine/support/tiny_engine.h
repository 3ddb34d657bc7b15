#pragma once
// Options and requests for engines over one tiny model in a folder of the test's own.

#include <random>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

namespace pd {

constexpr std::uint64_t tiny_page_bytes = 2 * 16 * 2 * 64 * 2;  // layers × tokens × K and V × head size × F16

class TinyFolder {
 public:
  explicit TinyFolder(const TinyModel& model = {}) : model_(model) { write_tiny_model(path(), model_); }

  std::string path() const { return folder_.file("tiny.gguf"); }

  EngineOptions options(Role role, std::uint32_t pages) const {
    EngineOptions options;
    options.role = role;
    options.model_path = path();
    options.pool_bytes = pages * tiny_page_bytes / 2 * model_.layers * model_.kv_heads;
    options.weights_as_stored = true;
    options.allow_faults = true;
    options.socket_dir = folder_.file("");
    if (role != Role::both) options.secret = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    return options;
  }

 private:
  TempFolder folder_;
  TinyModel model_;
};

inline std::vector<TokenId> random_prompt(std::size_t length, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<TokenId> tokens(length);
  for (TokenId& token : tokens) token = static_cast<TokenId>(random() % 256);
  return tokens;
}

// The end token does not end it, so that its length is known.
inline Request request_of(const std::string& id, std::vector<TokenId> prompt, std::uint32_t tokens_max) {
  Request request;
  request.id = id;
  request.prompt = std::move(prompt);
  request.tokens_max = tokens_max;
  request.stops_at_end = false;
  return request;
}

}  // namespace pd
