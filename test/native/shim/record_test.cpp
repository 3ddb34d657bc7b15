#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/process.h"
#include "shim/run_record.h"
#include "shim/signal_names.h"

namespace pd {

namespace {

RunRecord of_this_process() {
  RunRecord record;
  record.name = "decode";
  record.boot = boot_id();
  record.pid_space = pid_namespace();
  record.shim = identity_of(getpid()).value_or(Identity{});
  return record;
}

}  // namespace

TEST(RunRecord, is_json_with_the_fields_that_are_known) {
  RunRecord record = of_this_process();
  record.boot = "b";
  record.pid_space = "1";
  record.shim = {10, 11};
  EXPECT_EQ(record_text(record),
            "{\"name\":\"decode\",\"generation\":0,\"bootId\":\"b\",\"pidNamespace\":\"1\","
            "\"shim\":{\"pid\":10,\"startTicks\":11},\"session\":0,\"beganUnixMs\":0,\"empty\":false,"
            "\"droppedBytes\":0}\n");
  record.child = Identity{12, 13};
  record.exit = Exit{std::nullopt, std::nullopt, "a \"b\"\n\\"};
  const std::string text = record_text(record);
  EXPECT_NE(text.find("\"child\":{\"pid\":12,\"startTicks\":13}"), std::string::npos);
  EXPECT_NE(text.find("\"exit\":{\"words\":\"a \\\"b\\\"\\u000a\\\\\"}"), std::string::npos);
}

TEST(RunRecord, lives_while_its_very_shim_or_child_does) {
  RunRecord record = of_this_process();
  EXPECT_TRUE(record_lives(record_text(record)));
  record.child = record.shim;
  record.shim.start_ticks += 1;
  EXPECT_TRUE(record_lives(record_text(record)));
  record.child->start_ticks += 1;
  EXPECT_FALSE(record_lives(record_text(record)));
  EXPECT_FALSE(record_lives(""));
}

TEST(RunRecord, of_another_boot_means_nobody) {
  RunRecord record = of_this_process();
  record.boot = "another";
  EXPECT_FALSE(record_lives(record_text(record)));
}

TEST(Process, is_signalled_only_where_it_is_the_one_that_is_meant) {
  const Identity self = identity_of(getpid()).value_or(Identity{});
  EXPECT_EQ(signal_process(self, 0), SignalResult::sent);
  EXPECT_EQ(signal_process({self.pid, self.start_ticks + 1}, SIGKILL), SignalResult::gone);
}

TEST(Process, that_has_ended_and_waits_for_its_parent_does_not_live) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  siginfo_t ended = {};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT), 0);
  const auto identity = identity_of(pid);
  ASSERT_TRUE(identity);
  EXPECT_FALSE(is_living(*identity));
  EXPECT_EQ(descendants_of(getpid()).size(), 0u);
  waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED);
}

TEST(SignalNames, are_those_of_the_manual) {
  EXPECT_EQ(signal_number("SIGTERM"), SIGTERM);
  EXPECT_EQ(signal_number("KILL"), SIGKILL);
  EXPECT_EQ(signal_number("SIGNONE"), std::nullopt);
  EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(signal_name(SIGRTMIN + 2), "signal " + std::to_string(SIGRTMIN + 2));
}

}  // namespace pd
