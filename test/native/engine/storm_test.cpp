// Requests come and are aborted at random moments on either side. Whatever the order, everything ends:
// no queue keeps anybody, no page stays live or held, and whoever was let alone got the right tokens.

#include <gtest/gtest.h>

#include <random>

#include "engine/support/pair.h"

namespace pd {
namespace {

struct Plan {
  std::string id;
  std::uint32_t length = 0;
  bool leaves = false;
};

TEST(EngineStorm, ends_in_rest_whatever_is_aborted_when) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };

  const TinyFolder folder({.layers = 4, .heads = 4, .kv_heads = 2, .feed_forward = 256});
  EngineOptions prefill = folder.options(Role::prefill, 160), decode = folder.options(Role::decode, 160);
  prefill.scattered_pages = below(2) == 0;
  decode.scattered_pages = below(2) == 0;
  decode.sequences_max = 6;
  Pair pair(prefill, decode);
  Probe both(folder.options(Role::both, 160));

  std::vector<Plan> plans;
  for (std::uint32_t i = 0; i < 80; ++i) {
    const Plan plan{.id = std::to_string(i), .length = 1 + below(500), .leaves = below(3) != 0};
    pair.ask(request_of(plan.id, random_prompt(plan.length, plan.length), 20), i);
    plans.push_back(plan);
    std::this_thread::sleep_for(std::chrono::microseconds(below(8000)));
    const Plan& victim = plans[below(static_cast<std::uint32_t>(plans.size()))];
    if (!victim.leaves) continue;
    Probe& side = below(2) == 0 ? pair.prefill() : pair.decode();
    side->abort(victim.id, {FailureCode::aborted, "the client left"});
  }

  for (const Plan& plan : plans) {
    const Answer answer = pair.decode().answer(plan.id);
    EXPECT_TRUE(pair.prefill().answer(plan.id).over());
    if (answer.failure) {
      EXPECT_TRUE(plan.leaves) << plan.id << ": " << answer.failure->words;
      continue;
    }
    ASSERT_FALSE(both->submit(request_of(plan.id, random_prompt(plan.length, plan.length), 20)));
    EXPECT_EQ(answer.tokens, both.answer(plan.id).tokens);
  }
  EXPECT_TRUE(pair.comes_to_rest());
  EXPECT_EQ(pair.prefill()->state().pages_wrong, "");
  EXPECT_EQ(pair.decode()->state().pages_wrong, "");
}

}  // namespace
}  // namespace pd
