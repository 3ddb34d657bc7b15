#include "prefill/prefill.h"

#include <gtest/gtest.h>

#include "model/runner_fixture.h"

namespace pd {
namespace {

TEST(Prefill, draws_the_first_token_after_the_last_chunk_only) {
  const std::unique_ptr<Model> model = load_tiny({});
  Compute compute(*model, 64, PageOrder::contiguous);
  const std::vector<TokenId> prompt = random_prompt(300, 7);
  const KvPages pages = compute.pool.take(pages_for(300)).value();
  const auto chunk = [&](std::uint32_t position, std::uint32_t count) {
    return run_chunk(*compute.runner,
                     {.pages = pages, .prompt = prompt, .position = position, .count = count, .sampling = {}},
                     [](std::uint32_t) {});
  };

  EXPECT_FALSE(chunk(0, 256).first_token);
  const std::optional<TokenId> first = chunk(256, 44).first_token;

  Lane alone(*compute.runner, compute.pool, 300);
  EXPECT_EQ(first, sample(alone.prefill(prompt), {}, 300));
}

TEST(Prefill, draws_at_the_position_behind_the_prompt) {
  const std::unique_ptr<Model> model = load_tiny({});
  Compute compute(*model, 64, PageOrder::contiguous);
  const std::vector<TokenId> prompt = random_prompt(20, 3);
  const Sampling hot{.temperature = 2.0f, .seed = 99};
  const KvPages pages = compute.pool.take(2).value();
  const ChunkResult result =
      run_chunk(*compute.runner, {.pages = pages, .prompt = prompt, .position = 0, .count = 20, .sampling = hot},
                [](std::uint32_t) {});

  Lane alone(*compute.runner, compute.pool, 20);
  EXPECT_EQ(result.first_token, sample(alone.prefill(prompt), hot, 20));
}

TEST(Prefill, says_when_the_chunk_was_aborted) {
  const std::unique_ptr<Model> model = load_tiny({});
  Compute compute(*model, 64, PageOrder::contiguous);
  const std::vector<TokenId> prompt = random_prompt(20, 3);
  const KvPages pages = compute.pool.take(2).value();
  const ChunkResult result =
      run_chunk(*compute.runner, {.pages = pages, .prompt = prompt, .position = 0, .count = 20, .sampling = {}},
                [&](std::uint32_t) { compute.runner->abort(); });
  EXPECT_EQ(result.status, RunStatus::aborted);
  EXPECT_FALSE(result.first_token);
}

}  // namespace
}  // namespace pd
