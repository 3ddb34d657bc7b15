// Random loads: no batch takes more pages than are free, leaves the grid, or lets anybody overtake.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kv/layout.h"
#include "model/runner.h"
#include "scheduler/scheduler.h"

namespace pd {
namespace {

struct World {
  std::vector<PromptLoad> prompts;
  std::vector<RowLoad> rows;
  Load load;
};

World draw(std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  World world;
  SequenceNumber number = 1;
  for (std::uint32_t i = below(6); i > 0; --i) {
    const std::uint32_t pages = 1 + below(8);
    world.rows.push_back({number++, pages * page_tokens - below(2), pages});
  }
  for (std::uint32_t i = below(5); i > 0; --i) {
    const std::uint32_t total = 1 + below(1200);
    const bool begun = world.prompts.empty() && below(2) == 0;
    world.prompts.push_back({number++, begun ? below(total / chunk_tokens + 1) * chunk_tokens : 0, total, begun});
  }
  world.load = {.prompts = {},
                .rows = {},
                .pages_free = below(200),
                .pages_kept = 10,
                .prompts_max = below(4),
                .token_cost = static_cast<Nanos>(below(2'000'000))};
  return world;
}

std::uint32_t pages_taken(const World& world, const Batch& batch) {
  std::uint32_t pages = 0;
  for (const RowLoad& row : world.rows)
    if (std::ranges::count(batch.rows, row.number) > 0 && row.rows == row.pages * page_tokens) ++pages;
  for (const PromptLoad& prompt : world.prompts)
    if (!prompt.has_pages && std::ranges::count(batch.chunks, prompt.number, &ChunkPlan::number) > 0)
      pages += pages_for(prompt.rows_total);
  return pages;
}

void expect_in_order(const World& world, const Batch& batch) {
  std::size_t prompt = 0;
  std::uint32_t position = world.prompts.empty() ? 0 : world.prompts[0].rows_computed;
  for (const ChunkPlan& chunk : batch.chunks) {
    if (position == world.prompts[prompt].rows_total) position = world.prompts[++prompt].rows_computed;
    ASSERT_EQ(chunk.number, world.prompts[prompt].number);
    ASSERT_EQ(chunk.position, position);
    ASSERT_GT(chunk.count, 0u);
    ASSERT_LE(chunk.position % chunk_tokens + chunk.count, chunk_tokens);
    position += chunk.count;
    ASSERT_LE(position, world.prompts[prompt].rows_total);
  }
}

TEST(Scheduler, keeps_its_rules_under_random_loads) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 20'000; ++round) {
    World world = draw(random);
    world.load.prompts = world.prompts;
    world.load.rows = world.rows;
    const std::optional<Batch> batch = next_batch(world.load);
    if (!batch) continue;
    ASSERT_LE(pages_taken(world, *batch), world.load.pages_free);
    expect_in_order(world, *batch);
    ASSERT_EQ(batch->victim.has_value(), batch->rows.empty() && batch->chunks.empty());
    ASSERT_TRUE(!batch->victim || *batch->victim != world.rows.front().number);
  }
}

}  // namespace
}  // namespace pd
