#include "decode/decode.h"

#include <gtest/gtest.h>

#include "model/runner_fixture.h"

namespace pd {
namespace {

TEST(Decode, gives_every_sequence_of_a_batch_the_token_that_it_gets_alone) {
  const std::unique_ptr<Model> model = load_tiny({});
  Compute compute(*model, 128, PageOrder::scattered);
  std::vector<TokenId> expected;
  std::vector<Lane> lanes;
  std::vector<RunningSequence> sequences;
  lanes.reserve(8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::vector<TokenId> prompt = random_prompt(5 + 9 * i, i);
    const Sampling sampling{.temperature = i % 2 == 0 ? 0.0f : 1.5f, .seed = i};
    const auto length = static_cast<std::uint32_t>(prompt.size());

    Lane alone(*compute.runner, compute.pool, length + 1);
    const TokenId first = sample(alone.prefill(prompt), sampling, length);
    const DecodeRow row = alone.row(first);
    expected.push_back(sample(compute.runner->decode({&row, 1}).logits, sampling, length + 1));

    lanes.emplace_back(*compute.runner, compute.pool, length + 1).prefill(prompt);
    sequences.push_back({.pages = lanes.back().pages(), .position = length, .token = first, .sampling = sampling});
  }
  EXPECT_EQ(run_step(*compute.runner, sequences).tokens, expected);
}

}  // namespace
}  // namespace pd
