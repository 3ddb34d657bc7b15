// Aborts on an engine that works alone.

#include <gtest/gtest.h>

#include "engine/support/probe.h"
#include "engine/support/tiny_engine.h"

namespace pd {
namespace {

const Failure unwanted{FailureCode::aborted, "not wanted any more"};

TEST(EngineAbort, frees_pages_while_generating) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 128));
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(50, 1), 1500)));
  probe.first_token("a");
  probe->abort("a", unwanted);
  const Answer answer = probe.answer("a");
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->code, FailureCode::aborted);
  EXPECT_EQ(answer.failure->words, unwanted.words);
  EXPECT_TRUE(eventually([&] { return at_rest(probe->state()); }));
  EXPECT_EQ(probe->state().aborted_total, 1u);
}

TEST(EngineAbort, frees_pages_in_the_middle_of_a_long_prompt) {
  const TinyFolder folder({.layers = 6, .heads = 4, .kv_heads = 2, .feed_forward = 512});
  Probe probe(folder.options(Role::both, 256));
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(3000, 1), 9)));
  ASSERT_TRUE(eventually([&] { return probe->state().pages_live > 0 || probe.now("a").over(); }));
  probe->abort("a", unwanted);
  EXPECT_TRUE(probe.answer("a").over());
  EXPECT_TRUE(eventually([&] { return at_rest(probe->state()); }));
}

TEST(EngineAbort, leaves_the_others_of_its_batch_alone) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 256));
  ASSERT_FALSE(probe->submit(request_of("alone", random_prompt(40, 2), 200)));
  const std::vector<TokenId> expected = probe.answer("alone").tokens;
  for (const char* id : {"a", "b", "c"}) ASSERT_FALSE(probe->submit(request_of(id, random_prompt(40, 2), 200)));
  probe.first_token("b");
  probe->abort("b", unwanted);
  EXPECT_TRUE(probe.answer("b").over());
  EXPECT_EQ(probe.answer("a").tokens, expected);
  EXPECT_EQ(probe.answer("c").tokens, expected);
}

TEST(EngineAbort, ignores_ids_and_rooms_that_it_does_not_have) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 64));
  probe->abort("nobody", unwanted);
  probe->abort_room(77, unwanted);
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(10, 1), 9)));
  EXPECT_EQ(probe.answer("a").tokens.size(), 9u);
  probe->abort("a", unwanted);
  EXPECT_EQ(probe->request("a")->stage, Stage::finished);
}

TEST(EngineAbort, is_none_when_the_answer_is_whole) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 128));
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(50, 1), 1500)));
  probe.first_token("a");
  probe->finish("a");
  probe->abort("a", unwanted);  // its client leaves: too late to matter
  const Answer answer = probe.answer("a");
  EXPECT_FALSE(answer.failure);
  EXPECT_TRUE(eventually([&] { return at_rest(probe->state()); }));
  EXPECT_EQ(probe->request("a")->stage, Stage::finished);
  EXPECT_EQ(probe->state().finished_total, 1u);
  EXPECT_EQ(probe->state().aborted_total, 0u);
  EXPECT_EQ(probe->state().failed_total, 0u);
}

TEST(EngineAbort, of_all_at_once_by_stop_tells_everybody) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 256));
  for (const char* id : {"a", "b", "c"}) ASSERT_FALSE(probe->submit(request_of(id, random_prompt(40, 2), 1000)));
  probe.first_token("a");
  probe->stop();
  for (const char* id : {"a", "b", "c"}) EXPECT_EQ(probe.answer(id).failure->code, FailureCode::shutdown);
  EXPECT_EQ(probe->submit(request_of("d", random_prompt(40, 2), 9))->code, FailureCode::shutdown);
  EXPECT_TRUE(at_rest(probe->state()));
}

}  // namespace
}  // namespace pd
