#include "core/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace pd {
namespace {

TEST(Sampler, is_greedy_at_temperature_zero_and_gives_ties_to_the_lower_id) {
  const std::vector<float> logits = {0.5f, 2.0f, 2.0f, -1.0f};
  EXPECT_EQ(sample(logits, {.temperature = 0.0f, .seed = 7}, 3), 1);
  EXPECT_EQ(sample(logits, {.temperature = 0.0f, .seed = 8}, 4), 1);
}

TEST(Sampler, is_a_function_of_seed_and_position) {
  const std::vector<float> logits(1000, 0.0f);
  std::map<TokenId, int> drawn;
  for (std::uint32_t position = 0; position < 100; ++position) {
    const TokenId token = sample(logits, {.temperature = 1.0f, .seed = 42}, position);
    EXPECT_EQ(token, sample(logits, {.temperature = 1.0f, .seed = 42}, position));
    ++drawn[token];
  }
  EXPECT_GT(drawn.size(), 80u);  // neighbouring positions are not alike
  EXPECT_NE(sample(logits, {.temperature = 1.0f, .seed = 1}, 5), sample(logits, {.temperature = 1.0f, .seed = 2}, 5));
}

TEST(Sampler, draws_with_the_probabilities_of_the_softmax) {
  const std::vector<float> logits = {std::log(1.0f), std::log(2.0f), std::log(7.0f)};
  std::map<TokenId, int> drawn;
  constexpr int draws = 20000;
  for (std::uint32_t i = 0; i < draws; ++i) ++drawn[sample(logits, {.temperature = 1.0f, .seed = 3}, i)];
  EXPECT_NEAR(drawn[0], draws * 0.1, draws * 0.02);
  EXPECT_NEAR(drawn[1], draws * 0.2, draws * 0.02);
  EXPECT_NEAR(drawn[2], draws * 0.7, draws * 0.02);
}

TEST(Sampler, sharpens_with_a_low_temperature) {
  const std::vector<float> logits = {1.0f, 2.0f, 3.0f};
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(sample(logits, {.temperature = 0.02f, .seed = 9}, i), 2);
}

TEST(Sampler, never_draws_a_token_that_is_ruled_out) {
  const std::vector<float> logits = {-INFINITY, 0.0f, -INFINITY};
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(sample(logits, {.temperature = 5.0f, .seed = i}, i), 1);
}

}  // namespace
}  // namespace pd
