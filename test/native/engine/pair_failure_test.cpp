// What goes wrong between two engines ends on both, by itself, and the next request works.

#include <gtest/gtest.h>

#include "engine/support/pair.h"

namespace pd {
namespace {

void expect_answer(Pair& pair, Room room) {
  const std::string id = "after-" + std::to_string(room);
  pair.ask(request_of(id, random_prompt(100, 9), 10), room);
  const Answer answer = pair.decode().answer(id);
  EXPECT_FALSE(answer.failure) << answer.failure->words;
  EXPECT_EQ(answer.tokens.size(), 10u);
}

TEST(EnginePairFailure, a_sender_that_never_sends_runs_into_the_inflight_deadline) {
  const TinyFolder folder;
  EngineOptions prefill = folder.options(Role::prefill, 128), decode = folder.options(Role::decode, 128);
  prefill.deadline_inflight_ms = 1000;
  Pair pair(prefill, decode);
  ASSERT_TRUE(pair.prefill()->set_fault("never-send", true));
  pair.ask(request_of("a", random_prompt(100, 1), 10), 1);
  EXPECT_EQ(pair.prefill().answer("a").failure->code, FailureCode::inflight_timeout);
  EXPECT_EQ(pair.decode().answer("a").failure->code, FailureCode::peer_failed);
  EXPECT_EQ(pair.prefill()->state().transfer_failed_total, 1u);
  ASSERT_TRUE(pair.prefill()->set_fault("never-send", false));
  expect_answer(pair, 2);
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST(EnginePairFailure, a_request_whose_other_leg_never_comes_runs_into_the_bootstrap_deadline) {
  const TinyFolder folder;
  EngineOptions prefill = folder.options(Role::prefill, 128), decode = folder.options(Role::decode, 128);
  prefill.deadline_bootstrap_ms = decode.deadline_bootstrap_ms = 1000;
  Pair pair(prefill, decode);
  expect_answer(pair, 1);
  Request request = request_of("p", random_prompt(100, 1), 10);
  request.bootstrap = Bootstrap{.host = "127.0.0.1", .port = pair.prefill()->bootstrap_port(), .room = 2};
  ASSERT_FALSE(pair.prefill()->submit(request));
  request.id = "d";
  request.bootstrap->room = 3;
  ASSERT_FALSE(pair.decode()->submit(request));
  EXPECT_EQ(pair.prefill().answer("p").failure->code, FailureCode::bootstrap_timeout);
  EXPECT_EQ(pair.decode().answer("d").failure->code, FailureCode::bootstrap_timeout);
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST(EnginePairFailure, an_abort_of_one_leg_ends_the_other) {
  const TinyFolder folder;
  Pair pair(folder.options(Role::prefill, 256), folder.options(Role::decode, 256));
  ASSERT_TRUE(pair.prefill()->set_fault("never-send", true));
  pair.ask(request_of("a", random_prompt(100, 1), 10), 1);
  pair.ask(request_of("b", random_prompt(100, 1), 10), 2);
  ASSERT_TRUE(eventually([&] { return pair.prefill()->state().queues.inflight == 2; }));
  pair.decode()->abort("a", {FailureCode::aborted, "the client left"});
  pair.prefill()->abort_room(2, {FailureCode::aborted, "the router gave up"});
  EXPECT_EQ(pair.decode().answer("a").failure->code, FailureCode::aborted);
  EXPECT_TRUE(pair.prefill().answer("a").failure);
  EXPECT_EQ(pair.prefill().answer("b").failure->code, FailureCode::aborted);
  EXPECT_TRUE(pair.decode().answer("b").failure);
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST(EnginePairFailure, a_room_aborted_before_its_leg_comes_fails_that_leg_at_once) {
  const TinyFolder folder;
  Pair pair(folder.options(Role::prefill, 128), folder.options(Role::decode, 128));
  pair.prefill()->abort_room(5, {FailureCode::aborted, "gone before it came"});
  pair.ask(request_of("a", random_prompt(100, 1), 10), 5);
  EXPECT_EQ(pair.prefill().answer("a").failure->words, "gone before it came");
  EXPECT_TRUE(pair.decode().answer("a").failure);
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST(EnginePairFailure, a_decode_engine_that_goes_leaves_nothing_bound_on_prefill) {
  const TinyFolder folder;
  Pair pair(folder.options(Role::prefill, 256), folder.options(Role::decode, 256));
  ASSERT_TRUE(pair.prefill()->set_fault("never-send", true));
  for (Room room = 1; room <= 3; ++room) pair.ask(request_of(std::to_string(room), random_prompt(100, 1), 10), room);
  ASSERT_TRUE(eventually([&] { return pair.prefill()->state().queues.inflight == 3; }));
  pair.decode()->stop();
  for (const char* id : {"1", "2", "3"}) {
    EXPECT_TRUE(pair.prefill().answer(id).failure);
    EXPECT_EQ(pair.decode().answer(id).failure->code, FailureCode::shutdown);
  }
  EXPECT_TRUE(eventually([&] { return at_rest(pair.prefill()->state()) && pair.prefill()->state().links == 0; }));
}

TEST(EnginePairFailure, a_prefill_engine_that_goes_fails_what_decode_waits_for) {
  const TinyFolder folder;
  Pair pair(folder.options(Role::prefill, 256), folder.options(Role::decode, 256));
  expect_answer(pair, 9);
  ASSERT_TRUE(pair.prefill()->set_fault("never-send", true));
  for (Room room = 1; room <= 3; ++room) pair.ask(request_of(std::to_string(room), random_prompt(100, 1), 10), room);
  ASSERT_TRUE(eventually([&] { return pair.prefill()->state().queues.inflight == 3; }));
  pair.prefill().destroy();
  for (const char* id : {"1", "2", "3"}) EXPECT_TRUE(pair.decode().answer(id).failure);
  EXPECT_TRUE(eventually([&] { return at_rest(pair.decode()->state()) && pair.decode()->state().links == 0; }));
}

TEST(EnginePairFailure, a_parked_copy_thread_holds_pages_until_it_goes_on_and_gives_nobody_a_wrong_token) {
  const TinyFolder folder;
  EngineOptions prefill = folder.options(Role::prefill, 128), decode = folder.options(Role::decode, 128);
  prefill.deadline_inflight_ms = decode.deadline_inflight_ms = decode.deadline_waiting_ms = 1000;
  Pair pair(prefill, decode);
  Probe both(folder.options(Role::both, 128));
  ASSERT_TRUE(pair.decode()->set_fault("park-copy-thread", true));
  pair.ask(request_of("a", random_prompt(300, 1), 10), 1);
  EXPECT_TRUE(pair.prefill().answer("a").failure);
  EXPECT_TRUE(pair.decode().answer("a").failure);
  EXPECT_GT(pair.decode()->state().pages_held, 0u);
  EXPECT_GT(pair.decode()->request("a")->pages_held, 0u);
  EXPECT_GT(pair.prefill()->state().pages_held, 0u);

  ASSERT_TRUE(pair.decode()->set_fault("park-copy-thread", false));
  EXPECT_TRUE(pair.comes_to_rest());
  EXPECT_EQ(pair.decode()->request("a")->pages_held, 0u);
  ASSERT_FALSE(both->submit(request_of("after-2", random_prompt(100, 9), 10)));
  expect_answer(pair, 2);
  EXPECT_EQ(pair.decode().answer("after-2").tokens, both.answer("after-2").tokens);
}

TEST(EnginePairFailure, engines_of_different_secrets_do_not_talk) {
  const TinyFolder folder;
  EngineOptions prefill = folder.options(Role::prefill, 128), decode = folder.options(Role::decode, 128);
  decode.secret[0] ^= 1;
  Pair pair(prefill, decode);
  pair.ask(request_of("a", random_prompt(100, 1), 10), 1);
  EXPECT_EQ(pair.decode().answer("a").failure->code, FailureCode::peer_refused);
  pair.prefill()->abort("a", {FailureCode::aborted, "the other leg failed"});
  EXPECT_TRUE(pair.prefill().answer("a").failure);
  EXPECT_TRUE(pair.comes_to_rest());
}

TEST(EnginePairFailure, a_port_in_use_is_an_error_that_says_so) {
  const TinyFolder folder;
  Probe first(folder.options(Role::prefill, 64));
  EngineOptions options = folder.options(Role::prefill, 64);
  options.bootstrap_port = first->bootstrap_port();
  try {
    Probe second(options);
    FAIL() << "two engines listen on one port";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::address_in_use);
  }
}

}  // namespace
}  // namespace pd
