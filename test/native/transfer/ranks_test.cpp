#include "transfer/ranks.h"

#include <gtest/gtest.h>

#include <thread>

#include "transfer/support/sender_rig.h"
#include "transfer/support/thread_ranks.h"

namespace pd {
namespace {

constexpr Nanos long_enough = 60 * nanos_per_second;

// Both ranks vote at the same time, each on a thread.
struct Votes {
  std::variant<std::monostate, RankLost> result;
  std::vector<TransferState> votes;
};
std::pair<Votes, Votes> vote(const RankDigest& a, std::vector<TransferState> votes_a, const RankDigest& b,
                             std::vector<TransferState> votes_b) {
  RankTable table(2);
  std::pair<Votes, Votes> out{{{}, std::move(votes_a)}, {{}, std::move(votes_b)}};
  std::thread other([&] { out.second.result = ThreadRank(table).all_reduce_min(b, out.second.votes, long_enough); });
  out.first.result = ThreadRank(table).all_reduce_min(a, out.first.votes, long_enough);
  other.join();
  return out;
}

bool lost(const Votes& votes) { return std::holds_alternative<RankLost>(votes.result); }

TEST(Ranks, agree_on_the_lowest_vote_of_each_room) {
  using enum TransferState;
  const RankDigest digest{1, 3, {}};
  const auto [a, b] =
      vote(digest, {success, transferring, waiting_for_input}, digest, {failed, transferring, bootstrapping});
  const std::vector<TransferState> lowest{failed, transferring, bootstrapping};
  EXPECT_EQ(a.votes, lowest);
  EXPECT_EQ(b.votes, lowest);
}

TEST(Ranks, are_lost_when_they_do_not_speak_of_the_same_requests) {
  const auto [a, b] = vote({1, 1, Digest{1}}, {TransferState::success}, {1, 1, Digest{2}}, {TransferState::success});
  EXPECT_TRUE(lost(a));
  EXPECT_TRUE(lost(b));
}

TEST(Ranks, are_lost_when_one_does_not_come_in_time) {
  RankTable table(2);
  std::vector<TransferState> votes{TransferState::success};
  EXPECT_TRUE(std::holds_alternative<RankLost>(ThreadRank(table).all_reduce_min({}, votes, nanos_per_ms)));
}

TEST(Ranks, alone_keep_their_votes) {
  std::vector<TransferState> votes{TransferState::transferring};
  EXPECT_TRUE(std::holds_alternative<std::monostate>(solo_rank()->all_reduce_min({}, votes, 0)));
  EXPECT_EQ(votes.front(), TransferState::transferring);
}

// Two prefill ranks with a decode peer each: one clock runs ahead, and its deadline fails both.
TEST(Ranks, fail_together_in_the_turn_in_which_one_sees_the_deadline) {
  RankTable table(2);
  std::vector<std::unique_ptr<SenderRig>> rigs;
  for (int i = 0; i < 2; ++i) {
    rigs.push_back(std::make_unique<SenderRig>());
    SenderRig& rig = *rigs.back();
    rig.ranks = std::make_unique<ThreadRank>(table);
    rig.senders = Senders::create(
        {rig, rig.pool, rig.clock, rig.faults, *rig.ranks, rig.deadlines, SenderRig::prefill, SenderRig::layers});
    rig.senders->connected(rig.peer);
    ASSERT_EQ(rig.senders->add(7, rig.hash, SenderRig::tokens), std::nullopt);
  }
  rigs[0]->clock.pass(2 * nanos_per_second);
  std::thread other([&] { rigs[1]->turn(); });
  rigs[0]->turn();
  other.join();
  EXPECT_EQ(rigs[0]->log.take(), "failed!bootstrap-timeout safe!");
  EXPECT_EQ(rigs[1]->log.take(), "failed!peer-failed safe!");
}

TEST(Ranks, that_are_lost_fail_everything_and_take_nothing_new) {
  SenderRig rig;
  class Lost final : public Ranks {
   public:
    std::uint32_t size() const override { return 2; }
    std::variant<std::monostate, RankLost> all_reduce_min(const RankDigest&, std::span<TransferState>, Nanos) override {
      return RankLost{"one is gone"};
    }
  };
  rig.ranks = std::make_unique<Lost>();
  rig.senders = Senders::create(
      {rig, rig.pool, rig.clock, rig.faults, *rig.ranks, rig.deadlines, SenderRig::prefill, SenderRig::layers});
  ASSERT_EQ(rig.senders->add(7, rig.hash, SenderRig::tokens), std::nullopt);
  rig.turn();
  EXPECT_EQ(rig.log.take(), "failed!shutdown safe!");
  EXPECT_TRUE(rig.senders->add(8, rig.hash, SenderRig::tokens).has_value());
  rig.turn();
  EXPECT_EQ(rig.senders->live(), 0u);
}

}  // namespace
}  // namespace pd
