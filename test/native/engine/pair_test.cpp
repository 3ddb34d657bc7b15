// Prefill and decode over real sockets and shared memory say what one engine says alone.

#include <gtest/gtest.h>

#include "engine/support/pair.h"

namespace pd {
namespace {

class EnginePair : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Pages, EnginePair, testing::Bool(),
                         [](const auto& info) { return info.param ? "scattered" : "contiguous"; });

TEST_P(EnginePair, answers_every_length_of_prompt_as_role_both_does) {
  const TinyFolder folder;
  EngineOptions prefill = folder.options(Role::prefill, 256), decode = folder.options(Role::decode, 256);
  prefill.scattered_pages = decode.scattered_pages = GetParam();
  Pair pair(prefill, decode);
  Probe both(folder.options(Role::both, 256));
  for (std::uint32_t length = 1; length <= 600; length += length < 40 ? 1 : 7) {
    const std::string id = std::to_string(length);
    pair.ask(request_of(id, random_prompt(length, length), 5), length);
    ASSERT_FALSE(both->submit(request_of(id, random_prompt(length, length), 5)));
    const Answer answer = pair.decode().answer(id);
    ASSERT_FALSE(answer.failure) << answer.failure->words;
    ASSERT_TRUE(answer.committed);
    ASSERT_EQ(answer.tokens, both.answer(id).tokens) << "prompt of " << length;
    ASSERT_EQ(pair.prefill().answer(id).reason, FinishReason::length);
  }
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST_P(EnginePair, answers_many_at_once_as_role_both_does_alone) {
  const TinyFolder folder;
  EngineOptions prefill = folder.options(Role::prefill, 512), decode = folder.options(Role::decode, 512);
  prefill.scattered_pages = decode.scattered_pages = GetParam();
  Pair pair(prefill, decode);
  Probe both(folder.options(Role::both, 256));
  for (std::uint32_t i = 0; i < 16; ++i) pair.ask(request_of(std::to_string(i), random_prompt(1 + 37 * i, i), 50), i);
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::string id = std::to_string(i);
    ASSERT_FALSE(both->submit(request_of(id, random_prompt(1 + 37 * i, i), 50)));
    EXPECT_EQ(pair.decode().answer(id).tokens, both.answer(id).tokens) << "request " << i;
  }
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST(EnginePairRecord, shows_every_stage_and_all_bytes_on_both_sides) {
  const TinyFolder folder;
  Pair pair(folder.options(Role::prefill, 128), folder.options(Role::decode, 128));
  pair.ask(request_of("a", random_prompt(300, 1), 20), 42);
  pair.decode().answer("a");
  pair.prefill().answer("a");
  const std::uint64_t bytes = 2 * 2 * 1 * 64 * 2 * 300;  // layers × K and V × heads × head size × F16 × rows
  const RequestRecord p = *pair.prefill()->request("a"), d = *pair.decode()->request("a");
  const auto stages = [](const RequestRecord& record) {
    std::vector<Stage> stages;
    for (const StageTime& time : record.timeline) stages.push_back(time.stage);
    return stages;
  };
  EXPECT_EQ(stages(p),
            (std::vector{Stage::bootstrap, Stage::waiting, Stage::running, Stage::inflight, Stage::finished}));
  EXPECT_EQ(stages(d),
            (std::vector{Stage::prealloc, Stage::transfer, Stage::waiting, Stage::running, Stage::finished}));
  for (const RequestRecord& record : {p, d}) {
    EXPECT_EQ(record.room, 42u);
    EXPECT_EQ(record.state, TransferState::success);
    EXPECT_EQ(record.bytes_total, bytes);
    EXPECT_EQ(record.bytes_done, bytes);
    EXPECT_FALSE(record.peer.empty());
    ASSERT_TRUE(record.transfer_began_unix_ms && record.transfer_ended_unix_ms);
    EXPECT_LE(*record.transfer_began_unix_ms, *record.transfer_ended_unix_ms);
  }
  EXPECT_TRUE(eventually([&] { return pair.decode()->state().transfer_bytes_total == bytes; }));
}

TEST(EnginePairEnds, an_answer_of_one_token_needs_no_decode_step) {
  const TinyFolder folder;
  Pair pair(folder.options(Role::prefill, 128), folder.options(Role::decode, 128));
  pair.ask(request_of("a", random_prompt(100, 1), 1), 1);
  const Answer answer = pair.decode().answer("a");
  EXPECT_EQ(answer.tokens.size(), 1u);
  EXPECT_EQ(answer.reason, FinishReason::length);
  EXPECT_EQ(pair.prefill().answer("a").tokens, answer.tokens);
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST(EnginePairEnds, a_first_token_that_is_the_end_is_no_text) {
  const TinyFolder folder;
  Pair pair(folder.options(Role::prefill, 128), folder.options(Role::decode, 128));
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Request request = request_of(std::to_string(seed), random_prompt(4, seed), 1);
    request.stops_at_end = true;
    request.sampling = {.temperature = 50.0f, .seed = seed};
    pair.ask(request, seed);
    const Answer answer = pair.decode().answer(request.id);
    ASSERT_FALSE(answer.failure) << answer.failure->words;
    if (answer.reason != FinishReason::stop) continue;
    EXPECT_TRUE(answer.tokens.empty());
    EXPECT_EQ(answer.output_tokens, 0u);
    EXPECT_EQ(pair.prefill().answer(request.id).reason, FinishReason::stop);
    EXPECT_TRUE(pair.comes_to_rest());
    return;
  }
  FAIL() << "the end token never came first";
}

}  // namespace
}  // namespace pd
