#include "model/step_inputs.h"

#include <gtest/gtest.h>

namespace pd {
namespace {

std::size_t seen(const StepInputs& inputs, std::uint32_t kv_tokens, std::size_t row) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kv_tokens; ++i) count += inputs.mask[row * kv_tokens + i] == 0 ? 1 : 0;
  return count;
}

TEST(StepInputs, put_each_token_into_its_cell_and_let_it_see_those_before_it) {
  const std::vector<PageId> pages = {7, 3};
  const std::vector<TokenId> tokens = {100, 101, 102};
  const StepSequence sequence{.pages = pages, .position = 15, .tokens = tokens};
  const StepInputs inputs = inputs_of({&sequence, 1}, {.tokens = 3, .kv_tokens = kv_tokens_for({&sequence, 1})});
  EXPECT_EQ(inputs.tokens, tokens);
  EXPECT_EQ(inputs.positions, (std::vector<std::int32_t>{15, 16, 17}));
  EXPECT_EQ(inputs.cells, (std::vector<std::int64_t>{7 * 16 + 15, 3 * 16, 3 * 16 + 1}));
  EXPECT_EQ(seen(inputs, 64, 0), 16u);
  EXPECT_EQ(seen(inputs, 64, 2), 18u);
  ASSERT_EQ(inputs.pages.size(), 4u);
  EXPECT_EQ(inputs.pages[1], 3);
  EXPECT_EQ(inputs.pages[2], 7);  // behind the end: its own first page
}

TEST(StepInputs, compute_the_last_row_twice_where_the_shape_is_wider) {
  const std::vector<PageId> pages = {4};
  const TokenId token = 9;
  const StepSequence sequence{.pages = pages, .position = 2, .tokens = {&token, 1}};
  for (const StepShape& shape : {StepShape{.sequences = 2, .tokens = 1, .kv_tokens = 256},
                                 StepShape{.sequences = 1, .tokens = 2, .kv_tokens = 256}}) {
    const StepInputs inputs = inputs_of({&sequence, 1}, shape);
    EXPECT_EQ(inputs.cells, (std::vector<std::int64_t>{66, 66}));
    EXPECT_EQ(inputs.positions, (std::vector<std::int32_t>{2, 2}));
    EXPECT_EQ(seen(inputs, 256, 1), 3u);
  }
}

TEST(StepInputs, see_as_many_tokens_as_the_longest_sequence_needs) {
  const std::vector<PageId> pages(40, 1);
  const TokenId token = 0;
  const auto needed = [&](std::uint32_t position) {
    const StepSequence sequences[] = {{.pages = pages, .position = 3, .tokens = {&token, 1}},
                                      {.pages = pages, .position = position, .tokens = {&token, 1}}};
    return kv_tokens_for(sequences);
  };
  EXPECT_EQ(needed(0), 64u);
  EXPECT_EQ(needed(63), 64u);
  EXPECT_EQ(needed(64), 128u);
}

}  // namespace
}  // namespace pd
