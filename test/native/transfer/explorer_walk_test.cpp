// Long random walks of the shipped senders and receivers over real pools: many rooms at once, legs in
// any order, aborts, cuts, restarts, a worker that stands still. Rerun one with PD_SEED.

#include <gtest/gtest.h>

#include <cstdlib>

#include "transfer/support/fleet.h"

namespace pd {
namespace {

std::size_t walk(std::uint64_t seed) {
  Fleet fleet(seed);
  for (int i = 0; i < 4000; ++i) {
    fleet.step();
    const std::optional<std::string> wrong = fleet.wrong();
    EXPECT_EQ(wrong, std::nullopt) << "PD_SEED=" << seed << ", step " << i;
    if (wrong) return 0;
  }
  fleet.recover();
  EXPECT_EQ(fleet.wrong(), std::nullopt) << "PD_SEED=" << seed;
  EXPECT_TRUE(fleet.idle()) << "PD_SEED=" << seed << ": a room never ends, or pages are never let go";
  return fleet.commits();
}

TEST(RandomWalk, ends_every_room_and_lets_go_of_every_page) {
  const char* given = std::getenv("PD_SEED");
  if (given) {
    walk(std::strtoull(given, nullptr, 10));
    return;
  }
  std::size_t commits = 0;
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) commits += walk(seed);
  EXPECT_GT(commits, 1000u) << "too few transfers came to their end to mean anything";
}

}  // namespace
}  // namespace pd
