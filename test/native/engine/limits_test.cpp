// What an engine refuses, and what it does when pages run out.

#include <gtest/gtest.h>

#include "engine/support/probe.h"
#include "engine/support/tiny_engine.h"

namespace pd {
namespace {

FailureCode code_of(const std::optional<Failure>& failure) {
  if (!failure) throw std::runtime_error("expected a refusal");
  return failure->code;
}

TEST(EngineLimits, refuses_what_can_never_fit_with_both_numbers) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 8));
  const std::optional<Failure> pool = probe->submit(request_of("a", random_prompt(100, 1), 29));
  EXPECT_EQ(code_of(pool), FailureCode::too_long);
  EXPECT_NE(pool->words.find("129"), std::string::npos);
  EXPECT_NE(pool->words.find("128"), std::string::npos);
  ASSERT_FALSE(probe->submit(request_of("b", random_prompt(100, 1), 28)));
  EXPECT_EQ(probe.answer("b").tokens.size(), 28u);

  EngineOptions options = folder.options(Role::both, 64);
  options.context_max = 50;
  Probe narrow(options);
  EXPECT_EQ(code_of(narrow->submit(request_of("a", random_prompt(40, 1), 11))), FailureCode::too_long);
  EXPECT_FALSE(narrow->submit(request_of("b", random_prompt(40, 1), 10)));
}

TEST(EngineLimits, refuses_more_live_requests_than_it_may_have) {
  const TinyFolder folder;
  EngineOptions options = folder.options(Role::both, 64);
  options.requests_max = 2;
  Probe probe(options);
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(10, 1), 900)));
  ASSERT_FALSE(probe->submit(request_of("b", random_prompt(10, 1), 900)));
  EXPECT_EQ(code_of(probe->submit(request_of("c", random_prompt(10, 1), 9))), FailureCode::queue_full);
  probe->abort("a", {FailureCode::aborted, "not wanted"});
  EXPECT_EQ(probe.answer("a").failure->words, "not wanted");
  EXPECT_FALSE(probe->submit(request_of("c", random_prompt(10, 1), 9)));
}

TEST(EngineLimits, refuses_a_live_id_a_second_time) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 64));
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(10, 1), 900)));
  EXPECT_EQ(code_of(probe->submit(request_of("a", random_prompt(10, 1), 9))), FailureCode::duplicate_room);
}

TEST(EngineLimits, refuses_rooms_that_do_not_fit_its_role) {
  const TinyFolder folder;
  Probe both(folder.options(Role::both, 64));
  Request request = request_of("a", random_prompt(10, 1), 9);
  request.bootstrap = Bootstrap{.host = "127.0.0.1", .port = 1, .room = 1};
  EXPECT_EQ(code_of(both->submit(request)), FailureCode::peer_refused);

  Probe prefill(folder.options(Role::prefill, 64));
  EXPECT_EQ(code_of(prefill->submit(request_of("b", random_prompt(10, 1), 9))), FailureCode::peer_refused);
  request.bootstrap->room = room_max + 1;
  EXPECT_EQ(code_of(prefill->submit(request)), FailureCode::peer_refused);
  request.bootstrap->room = room_max;
  EXPECT_FALSE(prefill->submit(request));
  request.id = "c";
  EXPECT_EQ(code_of(prefill->submit(request)), FailureCode::duplicate_room);
}

TEST(EngineLimits, takes_nothing_new_while_it_drains) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 64));
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(10, 1), 200)));
  probe->drain(true);
  EXPECT_TRUE(probe->state().draining);
  EXPECT_EQ(code_of(probe->submit(request_of("b", random_prompt(10, 1), 9))), FailureCode::draining);
  EXPECT_EQ(probe.answer("a").tokens.size(), 200u);
  probe->drain(false);
  EXPECT_FALSE(probe->submit(request_of("b", random_prompt(10, 1), 9)));
}

TEST(EngineLimits, gives_up_the_newest_when_nobody_can_go_on_and_never_the_oldest) {
  const TinyFolder folder;
  Probe probe(folder.options(Role::both, 16));  // 256 tokens, for four answers that grow to 200
  for (const char* id : {"1", "2", "3", "4"}) ASSERT_FALSE(probe->submit(request_of(id, random_prompt(16, 1), 180)));
  EXPECT_EQ(probe.answer("1").tokens.size(), 180u);
  int exhausted = 0;
  for (const char* id : {"2", "3", "4"}) {
    const Answer answer = probe.answer(id);
    if (!answer.failure) continue;
    EXPECT_EQ(answer.failure->code, FailureCode::pool_exhausted);
    ++exhausted;
  }
  EXPECT_GT(exhausted, 0);
  EXPECT_TRUE(eventually([&] { return at_rest(probe->state()); }));
  EXPECT_EQ(probe->state().pages_wrong, "");
}

TEST(EngineLimits, fails_who_waits_longer_for_a_batch_than_the_queue_allows) {
  const TinyFolder folder;
  EngineOptions options = folder.options(Role::both, 128);
  options.sequences_max = 1;
  options.deadline_queue_ms = 1;
  Probe probe(options);
  ASSERT_FALSE(probe->submit(request_of("a", random_prompt(10, 1), 1500)));
  probe.first_token("a");
  ASSERT_FALSE(probe->submit(request_of("b", random_prompt(10, 1), 9)));
  EXPECT_EQ(probe.answer("b").failure->code, FailureCode::queue_timeout);
}

TEST(EngineLimits, says_which_model_it_cannot_serve) {
  const TinyFolder folder;
  EngineOptions options = folder.options(Role::both, 64);
  options.pool_bytes = 100;
  EXPECT_THROW(Probe{options}, std::runtime_error);
  options.model_path = "/nowhere.gguf";
  EXPECT_THROW(Probe{options}, std::runtime_error);
}

TEST(EngineLimits, sets_faults_only_where_they_are_allowed) {
  const TinyFolder folder;
  EngineOptions options = folder.options(Role::both, 64);
  Probe open(options);
  EXPECT_FALSE(open->set_fault("no-such-fault", true));
  EXPECT_TRUE(open->set_fault("never-send", true));
  EXPECT_EQ(open->faults()[0], std::make_pair(std::string("never-send"), true));
  options.allow_faults = false;
  Probe closed(options);
  EXPECT_FALSE(closed->set_fault("never-send", true));
}

}  // namespace
}  // namespace pd
