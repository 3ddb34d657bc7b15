#pragma once
// A model in a file, a pool for it and a runner over both.

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kv/page_pool.h"
#include "model/model.h"
#include "model/runner.h"
#include "support/lane.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

namespace pd {

struct Compute {
  Compute(Model& model, std::uint32_t pages, PageOrder order, std::uint32_t threads = 1)
      : region(Region::create({.layers = model.shape().layers,
                               .kv_heads = model.shape().kv_heads,
                               .head_dim = model.shape().head_dim,
                               .pages = pages},
                              model.fingerprint(), 1)),
        pool(*region, order),
        runner(Runner::create(model, *region, {.threads = threads})) {}

  std::unique_ptr<Region> region;
  PagePool pool;
  std::unique_ptr<Runner> runner;
};

inline std::unique_ptr<Model> load_tiny(const TinyModel& tiny) {
  TempFolder folder;
  write_tiny_model(folder.file("tiny.gguf"), tiny);
  return Model::load(folder.file("tiny.gguf"), WeightPolicy::as_stored);
}

inline std::vector<TokenId> random_prompt(std::size_t length, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<TokenId> tokens(length);
  for (TokenId& token : tokens) token = static_cast<TokenId>(random() % 256);
  return tokens;
}

}  // namespace pd
