// Every book has a bound, and forgets what is oldest.

#include <gtest/gtest.h>

#include "transfer/due_times.h"
#include "transfer/limits.h"
#include "transfer/recent_keys.h"
#include "transfer/support/sender_rig.h"
#include "transfer/tombstones.h"

namespace pd {
namespace {

TEST(Tombstones, keep_the_first_reason) {
  Tombstones tombstones;
  tombstones.put(7, {FailureCode::aborted, "first"});
  tombstones.put(7, {FailureCode::aborted, "second"});
  EXPECT_EQ(tombstones.find(7)->words, "first");
  EXPECT_EQ(tombstones.find(8), nullptr);
}

TEST(Tombstones, forget_the_oldest_when_full) {
  Tombstones tombstones;
  for (Room room = 0; room <= limits::tombstones_max; ++room) tombstones.put(room, {});
  EXPECT_EQ(tombstones.find(0), nullptr);
  EXPECT_NE(tombstones.find(limits::tombstones_max), nullptr);
  EXPECT_EQ(tombstones.size(), limits::tombstones_max);
}

TEST(RecentKeys, forget_the_oldest_when_full) {
  RecentKeys keys;
  for (Room room = 0; room <= limits::commits_max; ++room) keys.put({room, 1, 2});
  EXPECT_FALSE(keys.contains({0, 1, 2}));
  EXPECT_TRUE(keys.contains({limits::commits_max, 1, 2}));
}

TEST(DueTimes, give_back_what_has_passed) {
  DueTimes times;
  times.set(1, 10);
  times.set(2, 20);
  times.set(3, std::nullopt);
  EXPECT_EQ(times.next(), 10);
  EXPECT_EQ(times.take_passed(15), std::vector<Room>{1});
  EXPECT_EQ(times.next(), 20);
}

TEST(DueTimes, notice_a_later_time_when_the_old_one_comes) {
  DueTimes times;
  times.set(1, 10);
  times.set(1, 30);
  EXPECT_EQ(times.next(), 10);
  EXPECT_EQ(times.take_passed(10), std::vector<Room>{1});
  times.set(1, 30);
  EXPECT_EQ(times.next(), 30);
}

TEST(DueTimes, take_an_earlier_time_at_once) {
  DueTimes times;
  times.set(1, 30);
  times.set(1, 10);
  EXPECT_EQ(times.next(), 10);
  times.set(1, std::nullopt);
  EXPECT_EQ(times.next(), std::nullopt);
}

TEST(Presents, are_refused_when_too_many_wait) {
  SenderRig rig;
  for (Room room = 0; room <= limits::presents_max; ++room)
    rig.hear(Present{rig.key(room), rig.hash, SenderRig::tokens});
  EXPECT_EQ(rig.log.take(), ">failed(queue-full)");
}

TEST(Presents, of_a_closed_link_are_forgotten) {
  SenderRig rig;
  rig.hear(Present{rig.key(), rig.hash, SenderRig::tokens});
  rig.senders->closed(rig.peer, "reset");
  ASSERT_EQ(rig.senders->add(7, rig.hash, SenderRig::tokens), std::nullopt);
  EXPECT_EQ(rig.log.take(), "");
}

TEST(Senders, refuse_more_rooms_than_they_can_keep) {
  SenderRig rig;
  for (Room room = 0; room < limits::rooms_max; ++room)
    ASSERT_EQ(rig.senders->add(room, rig.hash, SenderRig::tokens), std::nullopt);
  EXPECT_EQ(rig.senders->add(limits::rooms_max, rig.hash, SenderRig::tokens)->code, FailureCode::queue_full);
}

TEST(Senders, refuse_a_second_decode_engine_for_a_room) {
  SenderRig rig;
  rig.to_presented();
  rig.senders->connected(rig.other);
  rig.senders->received(rig.other,
                        Present{{7, SenderRig::prefill, SenderRig::other_decode}, rig.hash, SenderRig::tokens});
  EXPECT_EQ(rig.log.take(), ">failed(duplicate-room)");
}

TEST(Senders, count_frames_of_an_old_key) {
  SenderRig rig;
  rig.to_inflight();
  rig.hear(Committed{{7, 99, SenderRig::decode}});                        // to an earlier prefill
  rig.hear(Committed{{7, SenderRig::prefill, SenderRig::other_decode}});  // by a decode that did not send it
  rig.hear(Committed{rig.key(8)});                                        // of no room
  EXPECT_EQ(rig.senders->counters().frames_stale, 3u);
  rig.turn();
  EXPECT_EQ(rig.log.take(), "");
}

TEST(Senders, report_progress_once_a_second_for_the_rooms_of_each_link) {
  SenderRig rig;
  rig.to_running();
  rig.senders->layer_complete(7, 0, 16);
  rig.log.take();
  rig.clock.pass(nanos_per_second);
  rig.turn(3);
  rig.turn(4);
  EXPECT_EQ(rig.log.take(), ">progress(3;7:2,16,16)");
}

TEST(Senders, report_many_rooms_over_several_turns) {
  SenderRig rig;
  for (Room room = 0; room <= limits::progress_entries_max; ++room) {
    ASSERT_EQ(rig.senders->add(room, rig.hash, SenderRig::tokens), std::nullopt);
    rig.hear(Present{rig.key(room), rig.hash, SenderRig::tokens});
  }
  rig.peer.frames.clear();
  rig.clock.pass(nanos_per_second);
  for (int turn = 0; turn < 3; ++turn) rig.turn();
  ASSERT_EQ(rig.peer.frames.size(), 2u);
  EXPECT_EQ(std::get<Progress>(rig.peer.frames[0]).entries.size(), limits::progress_entries_max);
  EXPECT_EQ(std::get<Progress>(rig.peer.frames[1]).entries.size(), 1u);
}

TEST(Senders, say_which_deadline_fires_next) {
  SenderRig rig;
  rig.to_inflight();
  EXPECT_STREQ(rig.senders->view(7)->deadline, "inflight");
  EXPECT_EQ(rig.senders->view(7)->deadline_at, rig.clock.now() + rig.deadlines.inflight);
}

}  // namespace
}  // namespace pd
