// Role both: what the loop makes of a request is what the runner says, step by step.

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/support/probe.h"
#include "engine/support/tiny_engine.h"
#include "model/runner.h"
#include "support/lane.h"

namespace pd {
namespace {

// Greedy, by hand, without an engine.
std::vector<TokenId> by_hand(const std::string& path, const std::vector<TokenId>& prompt, std::uint32_t count) {
  const std::unique_ptr<Model> model = Model::load(path, WeightPolicy::as_stored);
  const ModelShape& shape = model->shape();
  const std::unique_ptr<Region> region =
      Region::create({.layers = shape.layers, .kv_heads = shape.kv_heads, .head_dim = shape.head_dim, .pages = 128},
                     model->fingerprint(), 1);
  PagePool pool(*region, PageOrder::contiguous);
  const std::unique_ptr<Runner> runner = Runner::create(*model, *region, {.threads = 1});
  const auto length = static_cast<std::uint32_t>(prompt.size());
  Lane lane(*runner, pool, length + count);
  std::vector<TokenId> tokens = {sample(lane.prefill(prompt), {}, length)};
  const std::vector<TokenId> rest = lane.greedy(tokens[0], count - 1);
  tokens.insert(tokens.end(), rest.begin(), rest.end());
  return tokens;
}

TEST(EngineBoth, answers_what_the_runner_says_step_by_step) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 128));
  for (const std::size_t length : {1, 15, 16, 17, 255, 256, 257, 600}) {
    const std::vector<TokenId> prompt = random_prompt(length, 5);
    const std::string id = std::to_string(length);
    ASSERT_FALSE(probe->submit(request_of(id, prompt, 40)));
    const Answer answer = probe.answer(id);
    EXPECT_EQ(answer.reason, FinishReason::length);
    EXPECT_EQ(answer.output_tokens, 40u);
    EXPECT_EQ(answer.tokens, by_hand(folder.path(), prompt, 40)) << "prompt of " << length;
  }
}

TEST(EngineBoth, answers_a_batch_of_eight_as_each_alone) {
  for (const bool scattered : {false, true}) {
    const TinyFolder folder;
    EngineOptions options = folder.options(Role::both, 512);
    options.scattered_pages = scattered;
    Probe probe(options);
    std::vector<Answer> alone;
    for (std::uint32_t i = 0; i < 8; ++i) {
      ASSERT_FALSE(probe->submit(request_of("alone" + std::to_string(i), random_prompt(10 + 40 * i, i), 60)));
      alone.push_back(probe.answer("alone" + std::to_string(i)));
    }
    for (std::uint32_t i = 0; i < 8; ++i)
      ASSERT_FALSE(probe->submit(request_of(std::to_string(i), random_prompt(10 + 40 * i, i), 60)));
    for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(probe.answer(std::to_string(i)).tokens, alone[i].tokens);
    EXPECT_TRUE(eventually([&] { return at_rest(probe->state()); }));
  }
}

TEST(EngineBoth, draws_the_same_tokens_from_the_same_seed) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 128));
  const auto ask = [&](const std::string& id, std::uint64_t seed) {
    Request request = request_of(id, random_prompt(30, 1), 30);
    request.sampling = {.temperature = 2.0f, .seed = seed};
    EXPECT_FALSE(probe->submit(std::move(request)));
    return probe.answer(id).tokens;
  };
  const std::vector<TokenId> once = ask("a", 7);
  EXPECT_EQ(ask("b", 7), once);
  EXPECT_NE(ask("c", 8), once);
}

TEST(EngineBoth, ends_at_the_end_token_without_showing_it) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 128));
  // Hot enough that the end token, one of 288, comes soon for one of these seeds.
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Request request = request_of(std::to_string(seed), random_prompt(5, seed), 200);
    request.stops_at_end = true;
    request.sampling = {.temperature = 50.0f, .seed = seed};
    ASSERT_FALSE(probe->submit(std::move(request)));
    const Answer answer = probe.answer(std::to_string(seed));
    ASSERT_TRUE(answer.reason);
    ASSERT_EQ(answer.output_tokens, answer.tokens.size());
    ASSERT_EQ(std::ranges::count(answer.tokens, TokenId{TinyModel::eos}), 0);
    if (*answer.reason == FinishReason::stop) return;
  }
  FAIL() << "no answer ended with the end token";
}

TEST(EngineBoth, keeps_a_record_of_what_it_did) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 128));
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(300, 1), 3)));
  probe.answer("a");
  const std::optional<RequestRecord> record = probe->request("a");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->stage, Stage::finished);
  EXPECT_FALSE(record->live);
  EXPECT_EQ(record->output_tokens, 3u);
  EXPECT_EQ(record->pages, 0u);
  EXPECT_LE(*record->prefill_began_unix_ms, *record->prefill_ended_unix_ms);
  ASSERT_EQ(record->timeline.size(), 3u);
  EXPECT_EQ(record->timeline[0].stage, Stage::waiting);
  EXPECT_EQ(record->timeline[1].stage, Stage::running);
  EXPECT_EQ(record->timeline[0].ended_unix_ms, record->timeline[1].began_unix_ms);
  EXPECT_FALSE(probe->request("b"));
  EXPECT_EQ(probe->requests().size(), 1u);
  EXPECT_TRUE(eventually([&] { return probe->state().finished_total == 1; }));
}

}  // namespace
}  // namespace pd
