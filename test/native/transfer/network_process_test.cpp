// Two processes: the prefill engine learns that the other one is gone, whatever its connection did.

#include <gtest/gtest.h>

#include "transfer/support/net_child.h"
#include "transfer/support/net_engine.h"

namespace pd {
namespace {

const NetSettings decode_settings{.side = Sender::decode, .incarnation = 0xB2};

TEST(NetworkProcess, a_killed_peer_closes_its_link_and_is_known_to_be_gone) {
  NetChild child([](std::uint16_t port) {
    NetEngine decode(decode_settings);
    decode.network().dial("127.0.0.1", port);
    decode.wait_for([] { return false; });
  });
  NetEngine prefill({.side = Sender::prefill, .incarnation = 0xA1});
  child.go(prefill.network().port());
  ASSERT_NE(prefill.next<LinkOpened>(), nullptr);
  EXPECT_EQ(prefill.find<ProcessGone>(), nullptr);
  child.kill_it();
  ASSERT_NE(prefill.next<LinkClosed>(), nullptr);
  const ProcessGone* gone = prefill.next<ProcessGone>();
  ASSERT_NE(gone, nullptr);
  EXPECT_EQ(gone->incarnation, 0xB2u);
}

TEST(NetworkProcess, a_closed_link_is_no_proof_that_its_process_is_gone) {
  NetChild child([](std::uint16_t port) {
    NetEngine decode(decode_settings);
    decode.network().dial("127.0.0.1", port);
    decode.next<LinkOpened>();
  });
  NetEngine prefill({.side = Sender::prefill, .incarnation = 0xA1});
  child.go(prefill.network().port());
  ASSERT_NE(prefill.next<LinkClosed>(), nullptr);
  EXPECT_EQ(prefill.find<ProcessGone>(), nullptr);
  child.kill_it();
  const ProcessGone* gone = prefill.next<ProcessGone>();
  ASSERT_NE(gone, nullptr);
  EXPECT_EQ(gone->incarnation, 0xB2u);
  EXPECT_EQ(prefill.all<ProcessGone>().size(), 1u);
}

}  // namespace
}  // namespace pd
