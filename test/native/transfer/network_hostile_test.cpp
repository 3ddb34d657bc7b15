// Peers that do not behave are closed and counted, and a good link goes on beside them.

#include <gtest/gtest.h>

#include "transfer/net/sockets.h"
#include "transfer/support/net_engine.h"
#include "transfer/support/net_frames.h"
#include "transfer/support/net_raw.h"

namespace pd {
namespace {

const Key key{.room = 42, .prefill = 0xA1, .decode = 0xB2};

// An open link, and a way to see that it still works.
class GoodLink {
 public:
  explicit GoodLink(Nanos connect_limit = 20 * nanos_per_second)
      : pair_({.side = Sender::prefill, .incarnation = 0xA1, .connect_limit = connect_limit}) {
    // With a short limit the first attempt may be too slow on a busy machine: ask again.
    for (std::size_t refusals = 0; pair_.decode.find<LinkOpened>() == nullptr; ++refusals) {
      pair_.decode.network().dial("127.0.0.1", port());
      pair_.decode.wait_for([&] {
        return pair_.decode.find<LinkOpened>() != nullptr || pair_.decode.find<LinkRefused>(refusals) != nullptr;
      });
    }
  }

  NetEngine& prefill() { return pair_.prefill; }
  std::uint16_t port() { return pair_.prefill.network().port(); }
  NetworkCounters counters() { return pair_.prefill.network().counters(); }
  bool wait_for(const std::function<bool(const NetworkCounters&)>& seen) {
    return pair_.prefill.wait_for([&] { return seen(counters()); });
  }
  bool works() {
    pair_.decode.find<LinkOpened>()->peer->send(Done{key});
    return pair_.prefill.next<LinkFrame>(frames_++) != nullptr;
  }

 private:
  NetPair pair_;
  std::size_t frames_ = 0;
};

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

TEST(HostilePeers, random_bytes_are_closed_and_counted) {
  GoodLink good;
  NetFrames random(201);
  for (std::uint64_t i = 0; i < 50; ++i) {
    NetRaw raw(good.port());
    std::vector<std::uint8_t> bytes = random.bytes(300);
    bytes[3] |= 1;  // a length that no frame has, whatever the rest is
    raw.send(bytes);
    ASSERT_TRUE(raw.closed());
    ASSERT_TRUE(good.wait_for([&](const NetworkCounters& counters) { return counters.frames_hostile == i + 1; }));
  }
  EXPECT_EQ(good.counters().handshakes_refused, 50u);
  EXPECT_TRUE(good.works());
}

TEST(HostilePeers, http_a_length_of_nothing_and_a_huge_one_are_closed) {
  GoodLink good;
  std::uint64_t hostile = 0;
  for (const std::vector<std::uint8_t>& bytes :
       {bytes_of("GET /metrics HTTP/1.1\r\n\r\n"), bytes_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        std::vector<std::uint8_t>{0, 0, 0, 0}, std::vector<std::uint8_t>{0xff, 0xff, 0xff, 0xff},
        std::vector<std::uint8_t>{0xff, 0xff, 0x0f, 0x00}}) {  // the last: good for a frame, not before the proof
    NetRaw raw(good.port());
    raw.send(bytes);
    EXPECT_TRUE(raw.closed());
    ++hostile;
    EXPECT_TRUE(good.wait_for([&](const NetworkCounters& counters) { return counters.frames_hostile == hostile; }));
  }
  EXPECT_TRUE(good.works());
}

TEST(HostilePeers, whatever_fuzz_says_before_or_after_its_hello_the_good_link_works) {
  const std::uint32_t seed = 202;
  SCOPED_TRACE("seed " + std::to_string(seed));
  GoodLink good;
  NetFrames random(seed);
  for (std::size_t i = 0; i < 100; ++i) {
    NetRaw raw(good.port());
    if (i % 2 == 0) raw.say(net_hello(0xC0 + i));
    std::vector<std::uint8_t> payload = random.bytes(1 + random.number() % 200);
    payload[0] = static_cast<std::uint8_t>(random.number() % 32);
    raw.send(with_length(payload));
    raw.send(random.bytes(400));
    ASSERT_TRUE(raw.closed());
  }
  EXPECT_EQ(good.counters().links_opened, 1u);
  EXPECT_TRUE(good.works());
}

TEST(HostilePeers, half_a_hello_and_a_byte_now_and_then_run_into_the_limit) {
  GoodLink good(2 * nanos_per_second);
  const std::uint64_t before = good.counters().handshakes_refused;
  NetRaw silent(good.port()), half(good.port());
  const std::vector<std::uint8_t> hello = encode_handshake(net_hello(0xC1), {});
  half.send(std::span(hello).first(hello.size() / 2));
  NetRaw slow(good.port());
  bool open = true;
  for (std::size_t i = 0; open && i + 1 < hello.size(); ++i) {
    open = slow.send(std::span(hello).subspan(i, 1));
    good.prefill().wait_for([turns = 0]() mutable { return ++turns > 5; });  // about a tenth of a second
  }
  EXPECT_TRUE(slow.closed());
  EXPECT_TRUE(silent.closed());
  EXPECT_TRUE(half.closed());
  EXPECT_TRUE(
      good.wait_for([&](const NetworkCounters& counters) { return counters.handshakes_refused == before + 3; }));
  EXPECT_TRUE(good.works());
}

TEST(HostilePeers, the_oldest_makes_way_when_too_many_prove_nothing) {
  GoodLink good;
  NetRaw oldest(good.port());
  std::vector<NetRaw> crowd;
  for (int i = 0; i < 64; ++i) crowd.emplace_back(good.port());
  EXPECT_TRUE(oldest.closed());
  EXPECT_TRUE(good.works());
}

TEST(HostilePeers, a_wrong_proof_gets_words_and_no_offer) {
  GoodLink good;
  const NetRawDecode liar(good.port(), 0xC1, {1, 2, 3});
  EXPECT_FALSE(liar.offer);
  EXPECT_TRUE(good.wait_for([](const NetworkCounters& counters) { return counters.handshakes_refused == 1; }));
  EXPECT_EQ(good.counters().frames_hostile, 0u);
}

TEST(HostilePeers, frames_of_another_incarnation_are_dropped_and_counted) {
  GoodLink good;
  NetRawDecode decode(good.port(), 0xC1, net_secret);
  ASSERT_TRUE(decode.fetch_memory());
  ASSERT_NE(good.prefill().next<LinkOpened>(1), nullptr);
  const Key own{.room = 1, .prefill = 0xA1, .decode = 0xC1};
  Key stale_prefill = own, stale_decode = own;
  stale_prefill.prefill = 0xA0;
  stale_decode.decode = 0xC0;
  decode.raw.send(encode(Done{own}, {0xC0, 0xA1}));
  decode.raw.send(encode(Done{own}, {0xC1, 0xA0}));
  decode.send(Done{stale_prefill});
  decode.send(Done{stale_decode});
  decode.send(Committed{own});
  const LinkFrame* frame = good.prefill().next<LinkFrame>();
  ASSERT_NE(frame, nullptr);
  EXPECT_TRUE(std::holds_alternative<Committed>(frame->frame));
  EXPECT_EQ(good.counters().frames_stale, 4u);
  EXPECT_EQ(good.counters().frames_hostile, 0u);
}

TEST(HostilePeers, an_open_link_is_closed_at_its_first_hostile_frame) {
  GoodLink good;
  const Key own{.room = 1, .prefill = 0xA1, .decode = 0xC1};
  std::vector<std::uint8_t> unknown = encode(Done{own}, {0xC1, 0xA1}), cut = unknown;
  unknown[4] = 200;
  cut.pop_back();
  --cut[0];
  std::uint64_t hostile = 0;
  for (const std::vector<std::uint8_t>& bytes :
       {unknown, cut, encode(Credit{own}, {0xC1, 0xA1}), encode_handshake(net_hello(0xC1), {})}) {
    NetRawDecode decode(good.port(), 0xC1, net_secret);
    ASSERT_TRUE(decode.fetch_memory());
    decode.raw.send(bytes);
    EXPECT_TRUE(decode.raw.closed());
    ++hostile;
    EXPECT_TRUE(good.wait_for([&](const NetworkCounters& counters) { return counters.frames_hostile == hostile; }));
  }
  EXPECT_TRUE(good.works());
}

TEST(HostilePeers, one_that_reads_nothing_is_closed_with_words) {
  GoodLink good;
  NetRawDecode decode(good.port(), 0xC1, net_secret);
  ASSERT_TRUE(decode.fetch_memory());
  const LinkOpened* opened = good.prefill().next<LinkOpened>(1);
  ASSERT_NE(opened, nullptr);
  const Key own{.room = 1, .prefill = 0xA1, .decode = 0xC1};
  const std::vector<std::uint64_t> generations(50'000);
  for (int i = 0; i < 100; ++i) opened->peer->send(Source{own, std::vector<PageId>(generations.size()), generations});
  const LinkClosed* closed = good.prefill().next<LinkClosed>();
  ASSERT_NE(closed, nullptr);
  EXPECT_NE(closed->why.find("does not read"), std::string::npos) << closed->why;
  EXPECT_TRUE(good.works());
}

TEST(HostilePeers, a_frame_that_is_too_long_to_send_closes_the_link_with_words) {
  NetPair pair;
  ASSERT_TRUE(pair.connect());
  const std::vector<std::uint64_t> generations(100'000);
  pair.prefill.find<LinkOpened>()->peer->send(Source{key, std::vector<PageId>(generations.size()), generations});
  const LinkClosed* closed = pair.prefill.next<LinkClosed>();
  ASSERT_NE(closed, nullptr);
  EXPECT_NE(closed->why.find("at most 1048576"), std::string::npos) << closed->why;
}

TEST(HostilePeers, a_prefill_engine_that_proves_nothing_gets_no_link) {
  NetRawListener listener;
  NetEngine decode({.side = Sender::decode, .incarnation = 0xB2});
  decode.network().dial("127.0.0.1", listener.port());
  NetRaw raw = listener.accept();
  ASSERT_TRUE(raw.hear());  // its hello
  raw.say(net_hello(0xA1));
  raw.say(Challenge{Digest{5}}, {0xA1, 0xB2});
  ASSERT_TRUE(raw.hear());  // its challenge
  const std::optional<HandshakeFrame> proof = raw.hear();
  ASSERT_TRUE(proof);
  raw.say(*proof, {0xA1, 0xB2});  // its own proof, sent back
  raw.say(ShmOffer{.path = "/nonexistent.sock", .nonce = {}, .pages = 1}, {0xA1, 0xB2});
  const LinkRefused* refused = decode.next<LinkRefused>();
  ASSERT_NE(refused, nullptr);
  EXPECT_NE(refused->why.words.find("did not prove"), std::string::npos) << refused->why.words;
  EXPECT_EQ(decode.regions_opened(), 0u);
  EXPECT_TRUE(raw.closed());
}

}  // namespace
}  // namespace pd
