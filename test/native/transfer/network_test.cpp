#include "transfer/network.h"

#include <gtest/gtest.h>

#include <cstring>
#include <system_error>

#include "transfer/support/net_engine.h"

namespace pd {
namespace {

const Key key{.room = 42, .prefill = 0xA1, .decode = 0xB2};
const NetSettings prefill_settings{.side = Sender::prefill, .incarnation = 0xA1};
const NetSettings decode_settings{.side = Sender::decode, .incarnation = 0xB2};

bool contains(const std::string& words, const std::string& part) { return words.find(part) != std::string::npos; }

TEST(Network, opens_a_link_on_both_sides_and_maps_the_memory) {
  NetPair pair;
  const char row[] = "a row of layer 0";
  std::memcpy(pair.prefill.region().pages(), row, sizeof row);
  ASSERT_TRUE(pair.connect());

  const LinkOpened* decode = pair.decode.find<LinkOpened>();
  EXPECT_EQ(decode->peer->incarnation(), 0xA1u);
  EXPECT_EQ(decode->host, "127.0.0.1");
  EXPECT_EQ(decode->port, pair.prefill.network().port());
  EXPECT_EQ(decode->peer->name(), "127.0.0.1:" + std::to_string(decode->port));
  const LinkOpened* prefill = pair.prefill.find<LinkOpened>();
  EXPECT_EQ(prefill->peer->incarnation(), 0xB2u);
  EXPECT_EQ(prefill->host, "");
  EXPECT_EQ(prefill->port, 0);
  ASSERT_NE(pair.decode.peer_region(), nullptr);
  EXPECT_STREQ(reinterpret_cast<const char*>(pair.decode.peer_region()->pages()), row);
  EXPECT_EQ(pair.prefill.network().counters().links_opened, 1u);
}

TEST(Network, carries_frames_both_ways_in_order_also_when_nobody_polls_for_a_while) {
  NetPair pair;
  ASSERT_TRUE(pair.connect());
  constexpr std::uint32_t count = 40'000;  // more than the queue of events takes
  Peer& to_decode = *pair.prefill.find<LinkOpened>()->peer;
  Peer& to_prefill = *pair.decode.find<LinkOpened>()->peer;
  for (std::uint32_t i = 0; i < count; ++i) to_decode.send(Ready{.key = key, .layer = 1, .rows = i, .checksum = {}});
  to_prefill.send(Committed{key});

  ASSERT_NE(pair.decode.next<LinkFrame>(count - 1), nullptr);
  std::uint32_t expected = 0;
  for (const LinkFrame* frame : pair.decode.all<LinkFrame>()) {
    EXPECT_EQ(std::get<Ready>(frame->frame).rows, expected++);
  }
  const LinkFrame* committed = pair.prefill.next<LinkFrame>();
  ASSERT_NE(committed, nullptr);
  EXPECT_EQ(std::get<Committed>(committed->frame).key, key);
}

TEST(Network, frames_are_seen_after_the_link_that_brought_them) {
  NetPair pair;
  pair.decode.network().dial("127.0.0.1", pair.prefill.network().port());
  const LinkOpened* opened = pair.prefill.next<LinkOpened>();
  ASSERT_NE(opened, nullptr);
  opened->peer->send(Credit{key});  // decode has polled nothing yet
  ASSERT_NE(pair.decode.next<LinkFrame>(), nullptr);
  EXPECT_TRUE(std::holds_alternative<LinkOpened>(*pair.decode.events().front()));
}

TEST(Network, dialling_again_while_a_link_is_open_or_under_way_changes_nothing) {
  NetPair pair;
  for (int i = 0; i < 10; ++i) pair.decode.network().dial("127.0.0.1", pair.prefill.network().port());
  ASSERT_TRUE(pair.connect());
  pair.decode.network().dial("127.0.0.1", pair.prefill.network().port());
  pair.decode.find<LinkOpened>()->peer->send(Done{key});
  ASSERT_NE(pair.prefill.next<LinkFrame>(), nullptr);
  EXPECT_EQ(pair.prefill.network().counters().links_opened, 1u);
  EXPECT_EQ(pair.decode.events().size(), 1u);
}

TEST(Network, one_engine_under_two_names_is_one_link_and_an_error_that_says_so) {
  NetPair pair;
  ASSERT_TRUE(pair.connect());
  pair.decode.network().dial("localhost", pair.prefill.network().port());
  const LinkRefused* refused = pair.decode.next<LinkRefused>();
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->host, "localhost");
  EXPECT_TRUE(contains(refused->why.words, "connected already as 127.0.0.1:")) << refused->why.words;
  EXPECT_EQ(pair.decode.find<LinkClosed>(), nullptr);
}

TEST(Network, closes_on_both_sides_and_dials_again_when_asked) {
  NetEngine decode(decode_settings);
  std::uint16_t port = 0;
  {
    NetEngine prefill(prefill_settings);
    port = prefill.network().port();
    decode.network().dial("127.0.0.1", port);
    ASSERT_NE(decode.next<LinkOpened>(), nullptr);
  }
  const LinkClosed* closed = decode.next<LinkClosed>();
  ASSERT_NE(closed, nullptr);
  EXPECT_EQ(closed->peer, decode.find<LinkOpened>()->peer);
  EXPECT_TRUE(contains(closed->why, "the prefill engine at 127.0.0.1:" + std::to_string(port))) << closed->why;
  EXPECT_EQ(decode.regions_lost(), 1u);

  NetSettings restarted = prefill_settings;
  restarted.incarnation = 0xA2;
  restarted.port = port;
  NetEngine prefill(restarted);
  decode.network().dial("127.0.0.1", port);
  ASSERT_NE(decode.next<LinkOpened>(1), nullptr);
  EXPECT_EQ(decode.find<LinkOpened>(1)->peer->incarnation(), 0xA2u);
  EXPECT_EQ(decode.regions_opened(), 2u);
}

TEST(Network, a_peer_that_somebody_still_has_is_harmless_after_the_end) {
  std::shared_ptr<Peer> peer;
  {
    NetPair pair;
    ASSERT_TRUE(pair.connect());
    peer = pair.decode.find<LinkOpened>()->peer;
  }
  peer->send(Done{key});
  EXPECT_EQ(peer->incarnation(), 0xA1u);
}

TEST(Network, what_was_said_last_arrives) {
  NetEngine prefill(prefill_settings);
  {
    NetEngine decode(decode_settings);
    decode.network().dial("127.0.0.1", prefill.network().port());
    ASSERT_NE(decode.next<LinkOpened>(), nullptr);
    decode.find<LinkOpened>()->peer->send(Failed{key, FailureCode::shutdown, "this engine stops"});
  }
  const LinkFrame* last = prefill.next<LinkFrame>();
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(std::get<Failed>(last->frame).why, "this engine stops");
  EXPECT_NE(prefill.next<LinkClosed>(), nullptr);
}

TEST(Network, refuses_another_secret_and_gives_no_memory) {
  NetSettings other = decode_settings;
  other.secret = {9, 9, 9};
  NetPair pair(prefill_settings, other);
  pair.decode.network().dial("127.0.0.1", pair.prefill.network().port());
  const LinkRefused* refused = pair.decode.next<LinkRefused>();
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why.code, FailureCode::peer_refused);
  EXPECT_TRUE(contains(refused->why.words, "fleet's secret")) << refused->why.words;
  EXPECT_EQ(pair.decode.regions_opened(), 0u);
  EXPECT_TRUE(pair.prefill.wait_for([&] { return pair.prefill.network().counters().handshakes_refused == 1; }));
  EXPECT_EQ(pair.prefill.network().counters().links_opened, 0u);
  EXPECT_EQ(pair.prefill.events().size(), 0u);
}

TEST(Network, refuses_another_model_and_names_both) {
  NetSettings other = decode_settings;
  other.fingerprint = 8;
  other.words = "model 8";
  NetPair pair(prefill_settings, other);
  pair.decode.network().dial("127.0.0.1", pair.prefill.network().port());
  const LinkRefused* refused = pair.decode.next<LinkRefused>();
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why.code, FailureCode::peer_refused);
  EXPECT_TRUE(contains(refused->why.words, "this decode engine has model 8")) << refused->why.words;
  EXPECT_TRUE(contains(refused->why.words, "the prefill engine has model 7")) << refused->why.words;
  EXPECT_EQ(pair.decode.regions_opened(), 0u);
  EXPECT_TRUE(pair.prefill.wait_for([&] { return pair.prefill.network().counters().handshakes_refused == 1; }));
}

TEST(Network, a_port_in_use_is_an_error_at_the_start) {
  NetEngine prefill(prefill_settings);
  NetSettings same = prefill_settings;
  same.port = prefill.network().port();
  try {
    NetEngine second(same);
    FAIL() << "both listen on port " << same.port;
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::address_in_use);
    EXPECT_TRUE(contains(error.what(), "127.0.0.1:" + std::to_string(same.port))) << error.what();
  }
}

TEST(Network, no_secret_is_an_error_at_the_start) {
  NetSettings none = prefill_settings;
  none.secret = {};
  EXPECT_THROW(NetEngine{none}, std::system_error);
}

TEST(Network, a_host_name_is_refused_and_not_looked_up) {
  NetEngine decode(decode_settings);
  decode.network().dial("prefill.example", 1234);
  const LinkRefused* refused = decode.next<LinkRefused>();
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->host, "prefill.example");
  EXPECT_EQ(refused->port, 1234);
  EXPECT_TRUE(contains(refused->why.words, "numeric address")) << refused->why.words;
}

TEST(Network, nobody_listening_is_told_at_once) {
  std::uint16_t port = 0;
  {
    NetEngine gone(prefill_settings);
    port = gone.network().port();
  }
  NetEngine decode(decode_settings);
  decode.network().dial("127.0.0.1", port);
  const LinkRefused* refused = decode.next<LinkRefused>();
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why.code, FailureCode::peer_lost);
  EXPECT_TRUE(contains(refused->why.words, "Connection refused")) << refused->why.words;
}

TEST(Network, only_this_user_can_come_to_the_socket_and_it_goes_with_the_engine) {
  const NetFolder folder(true);
  NetworkOptions options{
      .listens = true, .incarnation = 0xA1, .fingerprint_words = {}, .secret = net_secret, .socket_dir = folder.path()};
  const std::unique_ptr<Region> region = Region::create(net_layout, {}, 0xA1);
  const Network::Regions regions{.own = *region, .on_region = {}, .on_region_lost = {}};
  {
    const std::unique_ptr<Network> network = Network::start(options, regions, [] {});
    const std::filesystem::path socket = std::filesystem::directory_iterator(folder.path())->path();
    EXPECT_EQ(socket.filename(), "kv-00000000000000a1.sock");
    const auto status = std::filesystem::status(socket);
    EXPECT_EQ(status.type(), std::filesystem::file_type::socket);
    EXPECT_EQ(status.permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  options.socket_dir = folder.path() + std::string(100, 'x');
  EXPECT_THROW(Network::start(options, regions, [] {}), std::system_error);
}

TEST(Network, leaves_no_descriptor_behind) {
  const auto descriptors = [] {
    const std::filesystem::directory_iterator entries("/proc/self/fd");
    return std::distance(begin(entries), end(entries));
  };
  const auto before = descriptors();
  {
    NetEngine prefill(prefill_settings);
    const auto cycle = [&] {
      NetEngine decode(decode_settings);
      decode.network().dial("localhost", prefill.network().port());
      return decode.next<LinkOpened>() != nullptr && decode.find<LinkRefused>() == nullptr;
    };
    for (std::size_t i = 0; i < 200; ++i) {
      ASSERT_TRUE(cycle());
      ASSERT_NE(prefill.next<LinkClosed>(i), nullptr);
    }
    // The listeners, epoll, the wake-up, our memory and the watch on this process: nothing of the 200.
    EXPECT_LE(descriptors(), before + 8);
  }
  EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace pd
