#include <gtest/gtest.h>

#include <string>

#include "core/failure.h"
#include "core/faults.h"
#include "core/request.h"
#include "core/role.h"
#include "core/transfer_state.h"

namespace pd {
namespace {

TEST(Names, are_those_of_the_wire) {
  EXPECT_STREQ(name_of(FailureCode::inflight_timeout), "inflight-timeout");
  EXPECT_STREQ(name_of(FailureCode::kv_corruption), "kv-corruption");
  EXPECT_STREQ(name_of(Role::both), "both");
  EXPECT_STREQ(name_of(FinishReason::length), "length");
  EXPECT_STREQ(name_of(TransferState::waiting_for_input), "WaitingForInput");
}

TEST(Faults, are_found_by_name_and_only_the_known_ones) {
  Faults faults;
  ASSERT_NE(fault_named(faults, "park-copy-thread"), nullptr);
  *fault_named(faults, "park-copy-thread") = true;
  EXPECT_TRUE(faults.park_copy_thread);
  EXPECT_FALSE(faults.never_send);
  EXPECT_EQ(fault_named(faults, "park_copy_thread"), nullptr);
}

}  // namespace
}  // namespace pd
