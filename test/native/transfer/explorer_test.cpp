// The shipped transition functions in every order of what can happen to them.

#include <gtest/gtest.h>

#include "transfer/support/explorer.h"

namespace pd {
namespace {

constexpr std::uint32_t depth_max = 200;

void expect_right(const Rules& rules) {
  const Found found = explore(rules, depth_max);
  EXPECT_EQ(found.words, "") << found.path;
  EXPECT_TRUE(found.complete) << "the depth of " << depth_max << " was not enough";
  std::cout << found.worlds << " worlds, " << found.moves << " moves, depth " << found.depth << "\n";
}

TEST(Explorer, finds_every_order_right_without_troubles) { expect_right({.watermarks = {16, 20}, .troubles_max = 0}); }

TEST(Explorer, finds_every_order_right_with_one_trouble) { expect_right({.watermarks = {16, 20}, .troubles_max = 1}); }

TEST(Explorer, finds_every_order_right_with_two_troubles) { expect_right({.troubles_max = 2}); }

TEST(Explorer, finds_the_resurrection_when_the_worker_writes_states) {
  const Found found = explore({.troubles_max = 1, .worker_writes_states = true}, depth_max);
  EXPECT_EQ(found.words, "decode: a terminal state has changed") << found.path;
}

TEST(Explorer, finds_the_transfer_stall_when_nobody_looks_at_the_clock) {
  const Found found =
      explore({.troubles_max = 1, .starts_transferring = true, .restarts = false, .ignore_deadlines = true}, depth_max);
  EXPECT_EQ(found.words, "prefill never ends: stall in Transferring") << found.path;
}

TEST(Explorer, finds_the_bootstrap_stall_when_nobody_looks_at_the_clock) {
  const Found found = explore({.troubles_max = 0, .ignore_deadlines = true}, depth_max);
  EXPECT_EQ(found.words, "prefill never ends: stall in Bootstrapping") << found.path;
}

}  // namespace
}  // namespace pd
