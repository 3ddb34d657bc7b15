#include <gtest/gtest.h>

#include "model/graph_cache.h"
#include "model/runner_fixture.h"

namespace pd {
namespace {

TEST(GraphPieces, are_what_the_installed_library_makes_of_them) { EXPECT_NO_THROW(check_graph_views()); }

TEST(GraphCache, keeps_a_graph_by_its_shape_and_only_so_many) {
  const auto model = load_tiny({});
  Compute compute(*model, 16, PageOrder::contiguous);
  KvTensors kv(*compute.region);
  GraphCache cache(static_cast<const LoadedModel&>(*model), kv);
  StepGraph* first = &cache.graph({.tokens = 1, .kv_tokens = 256});
  cache.graph({.tokens = 2, .kv_tokens = 256});
  EXPECT_EQ(&cache.graph({.tokens = 1, .kv_tokens = 256}), first);
  EXPECT_EQ(cache.count(), 2u);
  for (std::uint32_t tokens = 1; tokens <= 100; ++tokens) {
    cache.graph({.tokens = tokens, .kv_tokens = 256});
    ASSERT_LE(cache.count(), 32u);
  }
}

}  // namespace
}  // namespace pd
