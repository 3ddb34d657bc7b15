// The small parts that the loop is made of.

#include <gtest/gtest.h>

#include <thread>

#include "engine/admission.h"
#include "engine/cores.h"
#include "engine/entry.h"
#include "engine/flight_recorder.h"
#include "engine/inbox.h"
#include "engine/stages.h"
#include "engine/steady_clock.h"
#include "engine/wake.h"
#include "transfer/deadlines.h"

namespace pd {
namespace {

Entry entry_named(SequenceNumber number, const std::string& id) {
  Entry entry = entry_of(number, Stage::waiting, 1000 * nanos_per_ms, 5000);
  entry.record.id = id;
  return entry;
}

TEST(Entry, keeps_a_timeline_without_gaps_and_ages_by_the_monotonic_clock) {
  Entry entry = entry_named(1, "a");
  entry.enter(Stage::running, 1200 * nanos_per_ms);
  RequestRecord record = entry.at(1500 * nanos_per_ms);
  EXPECT_EQ(record.age_ms, 500);
  EXPECT_EQ(record.stage_age_ms, 300);
  EXPECT_EQ(record.timeline[0].ended_unix_ms, 5200);
  EXPECT_FALSE(record.timeline[1].ended_unix_ms);
  entry.enter(Stage::finished, 1300 * nanos_per_ms);
  record = entry.at(9000 * nanos_per_ms);
  EXPECT_FALSE(record.live);
  EXPECT_EQ(record.age_ms, 300);
}

TEST(FlightRecorder, lists_the_newest_first_and_forgets_the_oldest_that_ended) {
  FlightRecorder recorder;
  for (SequenceNumber number = 1; number <= ended_records_max + 5; ++number) {
    Entry entry = entry_named(number, std::to_string(number));
    recorder.update(entry);
    if (number == 7) continue;  // lives on
    entry.enter(Stage::finished, 1300 * nanos_per_ms);
    recorder.update(entry);
  }
  const std::vector<RequestRecord> records = recorder.list(2000 * nanos_per_ms);
  EXPECT_EQ(records.size(), ended_records_max + 1);
  EXPECT_EQ(records.front().id, std::to_string(ended_records_max + 5));
  EXPECT_TRUE(recorder.find("7", 0)->live);
  EXPECT_FALSE(recorder.find("1", 0));
}

TEST(FlightRecorder, finds_the_latest_of_an_id_that_came_back) {
  FlightRecorder recorder;
  for (SequenceNumber number = 1; number <= 2; ++number) {
    Entry entry = entry_named(number, "a");
    entry.record.output_tokens = static_cast<std::uint32_t>(number);
    entry.enter(Stage::failed, 1300 * nanos_per_ms);
    recorder.update(entry);
  }
  EXPECT_EQ(recorder.find("a", 0)->output_tokens, 2u);
}

TEST(Stages, allow_no_way_out_of_an_end) {
  for (const Stage after :
       {Stage::waiting, Stage::running, Stage::inflight, Stage::transfer, Stage::finished, Stage::failed}) {
    EXPECT_FALSE(may_follow(Stage::finished, after));
    EXPECT_FALSE(may_follow(Stage::failed, after));
  }
  EXPECT_TRUE(may_follow(Stage::running, Stage::inflight));
  EXPECT_FALSE(may_follow(Stage::waiting, Stage::inflight));
}

TEST(Admission, lets_each_live_request_be_aborted_once) {
  Admission admission({.role = Role::both, .context_max = 100, .pages_total = 100, .requests_max = 10});
  Request request;
  request.id = "a";
  request.prompt = {1};
  request.tokens_max = 1;
  EXPECT_FALSE(admission.may_abort("a"));
  ASSERT_FALSE(admission.enter(request));
  EXPECT_TRUE(admission.may_abort("a"));
  EXPECT_FALSE(admission.may_abort("a"));
  admission.leave(request);
  ASSERT_FALSE(admission.enter(request));
  EXPECT_TRUE(admission.may_abort("a"));
}

TEST(Inbox, bounds_tombstones_apart_from_requests) {
  Inbox inbox(2, 1);
  EXPECT_TRUE(inbox.push(AbortRoomMessage{}));
  EXPECT_FALSE(inbox.push(AbortRoomMessage{}));
  EXPECT_TRUE(inbox.push(SubmitMessage{}));
  EXPECT_TRUE(inbox.push(AbortMessage{}));
  EXPECT_FALSE(inbox.push(AbortMessage{}));
  EXPECT_EQ(inbox.take().size(), 3u);
  EXPECT_TRUE(inbox.push(AbortRoomMessage{}));
}

TEST(Wake, forgets_no_call_that_came_before_the_sleep) {
  const SteadyClock clock;
  Wake wake(clock);
  wake.call();
  wake.sleep_until(no_deadline);  // returns at once, or this test never ends
  std::thread caller([&] { wake.call(); });
  wake.sleep_until(no_deadline);
  caller.join();
}

TEST(Wake, is_of_no_age_while_it_rests_and_ages_once_it_was_called) {
  const SteadyClock clock;
  Wake wake(clock);
  EXPECT_EQ(wake.age(), 0);
  wake.call();
  while (wake.age() == 0) std::this_thread::yield();
  wake.sleep_until(0);
  wake.turn();
  EXPECT_LT(wake.age(), 60 * nanos_per_second);
}

TEST(Cores, few_compute_with_one_thread_whatever_is_asked) {
  EXPECT_EQ(compute_threads(8, 1), 1u);
  EXPECT_EQ(compute_threads(8, 2), 1u);
  EXPECT_EQ(compute_threads(2, 4), 2u);
  EXPECT_EQ(compute_threads(8, 4), 4u);
  EXPECT_EQ(compute_threads(0, 4), 1u);
  EXPECT_GE(cores_usable(), 1u);
}

}  // namespace
}  // namespace pd
