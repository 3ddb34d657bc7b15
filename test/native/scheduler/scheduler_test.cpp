#include "scheduler/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kv/layout.h"
#include "model/runner.h"

namespace pd {
namespace {

using Numbers = std::vector<SequenceNumber>;

struct Case {
  const char* sentence;
  std::vector<PromptLoad> prompts = {};
  std::vector<RowLoad> rows = {};
  std::uint32_t pages_free = 100;
  std::uint32_t prompts_max = 8;
  Nanos token_cost = 0;
  Numbers chunks = {}, runs = {};  // expected: whose chunks in order, which rows
  std::optional<SequenceNumber> victim = {};
};

constexpr Nanos cheap = nanos_per_ms / 100;  // 256 tokens take 2.56 ms
constexpr Nanos dear = nanos_per_ms;         // 256 tokens take 256 ms

std::vector<Case> cases() {
  return {
      {.sentence = "nothing to do"},
      {.sentence = "a first chunk runs although its cost is unknown", .prompts = {{1, 0, 300, false}}, .chunks = {1}},
      {.sentence = "the rest of a cheap prompt joins",
       .prompts = {{1, 0, 600, true}},
       .token_cost = cheap,
       .chunks = {1, 1, 1}},
      {.sentence = "a dear chunk runs alone",
       .prompts = {{1, 0, 600, true}, {2, 0, 5, false}},
       .token_cost = dear,
       .chunks = {1}},
      {.sentence = "short prompts of others join",
       .prompts = {{1, 0, 9, false}, {2, 0, 9, false}},
       .token_cost = dear,
       .chunks = {1, 2}},
      {.sentence = "with rows a step takes one chunk",
       .prompts = {{5, 0, 600, true}},
       .rows = {{1, 3, 1}},
       .token_cost = cheap,
       .chunks = {5},
       .runs = {1}},
      {.sentence = "a prompt that finds no pages lets nobody overtake",
       .prompts = {{1, 0, 300, false}, {2, 0, 5, false}},
       .pages_free = 18},
      {.sentence = "a begun prompt goes on without free pages",
       .prompts = {{1, 256, 300, true}},
       .pages_free = 0,
       .chunks = {1}},
      {.sentence = "an empty engine keeps no pages back",
       .prompts = {{1, 0, 1600, false}},
       .pages_free = 100,
       .chunks = {1}},
      {.sentence = "running sequences keep theirs",
       .prompts = {{2, 0, 1600, false}},
       .rows = {{1, 3, 1}},
       .pages_free = 100,
       .runs = {1}},
      {.sentence = "no prompt begins without a place among the rows",
       .prompts = {{2, 0, 5, false}},
       .rows = {{1, 3, 1}},
       .prompts_max = 0,
       .runs = {1}},
      {.sentence = "rows have first claim on pages",
       .prompts = {{2, 0, 5, false}},
       .rows = {{1, 16, 1}},
       .pages_free = 1,
       .runs = {1}},
      {.sentence = "a row without a page skips the step",
       .rows = {{1, 16, 1}, {2, 16, 1}, {3, 15, 1}},
       .pages_free = 1,
       .runs = {1, 3}},
      {.sentence = "when nobody can go on the newest gives up",
       .rows = {{1, 16, 1}, {2, 16, 1}},
       .pages_free = 0,
       .victim = 2},
      {.sentence = "the oldest never gives up", .rows = {{1, 16, 1}}, .pages_free = 0},
      {.sentence = "nobody gives up while a prompt goes on",
       .prompts = {{3, 0, 5, true}},
       .rows = {{1, 16, 1}, {2, 16, 1}},
       .pages_free = 0,
       .chunks = {3}},
  };
}

Load load_of(const Case& row) {
  return {.prompts = row.prompts,
          .rows = row.rows,
          .pages_free = row.pages_free,
          .pages_kept = 5,
          .prompts_max = row.prompts_max,
          .token_cost = row.token_cost};
}

TEST(Scheduler, decides_as_the_table_says) {
  for (const Case& row : cases()) {
    SCOPED_TRACE(row.sentence);
    const std::optional<Batch> batch = next_batch(load_of(row));
    const bool idle = row.chunks.empty() && row.runs.empty() && !row.victim;
    ASSERT_EQ(!batch, idle);
    if (!batch) continue;
    Numbers chunks;
    for (const ChunkPlan& chunk : batch->chunks) chunks.push_back(chunk.number);
    EXPECT_EQ(chunks, row.chunks);
    EXPECT_EQ(batch->rows, row.runs);
    EXPECT_EQ(batch->victim, row.victim);
  }
}

TEST(Scheduler, cuts_a_prompt_on_the_grid) {
  const std::vector<PromptLoad> prompts = {{1, 0, 600, false}};
  const std::optional<Batch> batch = next_batch(
      {.prompts = prompts, .rows = {}, .pages_free = 100, .pages_kept = 5, .prompts_max = 1, .token_cost = cheap});
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->chunks.size(), 3u);
  EXPECT_EQ(batch->chunks[1].position, 256u);
  EXPECT_EQ(batch->chunks[1].count, 256u);
  EXPECT_EQ(batch->chunks[2].position, 512u);
  EXPECT_EQ(batch->chunks[2].count, 88u);
}

TEST(Scheduler, cuts_the_same_chunks_from_wherever_it_goes_on) {
  EXPECT_EQ(chunk_length(0, 10), 10u);
  EXPECT_EQ(chunk_length(100, 1000), 156u);
  EXPECT_EQ(chunk_length(256, 257), 1u);
  EXPECT_EQ(chunk_length(512, 2000), 256u);
}

}  // namespace
}  // namespace pd
