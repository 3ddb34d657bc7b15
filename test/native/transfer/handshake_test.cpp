#include "transfer/net/handshake.h"

#include <gtest/gtest.h>

namespace pd {
namespace {

using Verdict = Handshake::Verdict;

Handshake::Self self(Sender side) {
  const bool prefill = side == Sender::prefill;
  return {.side = side,
          .hello = {.incarnation = prefill ? 0xA1u : 0xB2u,
                    .fingerprint = Digest{7},
                    .fingerprint_words = "smollm2",
                    .backends = {"shm"}},
          .secret = {1, 2, 3},
          .nonce = Digest{static_cast<std::uint8_t>(prefill ? 1 : 2)}};
}

// Both sides talk until nobody has anything more to say.
struct Talk {
  Handshake prefill, decode;
  Handshake::Step prefill_end, decode_end;
  std::vector<HandshakeFrame> from_prefill, from_decode;

  Talk(Handshake::Self p, Handshake::Self d) : prefill(std::move(p)), decode(std::move(d)) {
    std::vector<HandshakeFrame> to_prefill = decode.begin().answers, to_decode;
    while (!to_prefill.empty() || !to_decode.empty()) {
      to_decode = deliver(to_prefill, prefill, prefill_end, from_decode);
      to_prefill = deliver(to_decode, decode, decode_end, from_prefill);
      to_decode.clear();
    }
  }

  static std::vector<HandshakeFrame> deliver(const std::vector<HandshakeFrame>& frames, Handshake& to,
                                             Handshake::Step& end, std::vector<HandshakeFrame>& log) {
    std::vector<HandshakeFrame> answers;
    for (const HandshakeFrame& frame : frames) {
      log.push_back(frame);
      if (end.verdict != Verdict::going) break;
      end = to.take(frame);
      answers.insert(answers.end(), end.answers.begin(), end.answers.end());
    }
    return answers;
  }
};

TEST(Handshake, proves_the_secret_in_both_directions) {
  const Talk talk(self(Sender::prefill), self(Sender::decode));
  EXPECT_EQ(talk.prefill_end.verdict, Verdict::proven);
  EXPECT_EQ(talk.decode_end.verdict, Verdict::proven);
  EXPECT_EQ(talk.prefill.incarnations(), (Incarnations{0xA1, 0xB2}));
  EXPECT_EQ(talk.decode.incarnations(), (Incarnations{0xB2, 0xA1}));
}

TEST(Handshake, the_secret_never_crosses) {
  Handshake::Self prefill = self(Sender::prefill), decode = self(Sender::decode);
  prefill.secret = decode.secret = {'s', 'e', 'c', 'r', 'e', 't', '!', '!'};
  const Talk talk(prefill, decode);
  const std::string secret = "secret!!";
  for (const auto& frames : {talk.from_prefill, talk.from_decode}) {
    for (const HandshakeFrame& frame : frames) {
      const std::vector<std::uint8_t> bytes = encode_handshake(frame, {});
      EXPECT_EQ(std::string(bytes.begin(), bytes.end()).find(secret), std::string::npos);
    }
  }
}

TEST(Handshake, refuses_another_secret) {
  Handshake::Self decode = self(Sender::decode);
  decode.secret = {9};
  const Talk talk(self(Sender::prefill), decode);
  EXPECT_EQ(talk.prefill_end.verdict, Verdict::refused);
  EXPECT_NE(talk.prefill_end.words.find("did not prove that it knows the fleet's secret"), std::string::npos);
  EXPECT_NE(talk.decode_end.verdict, Verdict::proven);
}

TEST(Handshake, names_both_sides_of_a_different_model) {
  Handshake::Self decode = self(Sender::decode);
  decode.hello.fingerprint = Digest{8};
  decode.hello.fingerprint_words = "llama 1b";
  const Talk talk(self(Sender::prefill), decode);
  for (const Handshake::Step& end : {talk.prefill_end, talk.decode_end}) {
    EXPECT_EQ(end.verdict, Verdict::refused);
    EXPECT_NE(end.words.find("smollm2"), std::string::npos) << end.words;
    EXPECT_NE(end.words.find("llama 1b"), std::string::npos) << end.words;
  }
}

TEST(Handshake, names_both_protocol_versions) {
  Handshake::Self decode = self(Sender::decode);
  decode.hello.version = 77;
  const Talk talk(self(Sender::prefill), decode);
  for (const Handshake::Step& end : {talk.prefill_end, talk.decode_end}) {
    EXPECT_EQ(end.verdict, Verdict::refused);
    EXPECT_NE(end.words.find("has 77"), std::string::npos) << end.words;
    EXPECT_NE(end.words.find("has " + std::to_string(protocol_version)), std::string::npos) << end.words;
  }
}

TEST(Handshake, names_both_lists_of_back_ends_with_nothing_in_common) {
  Handshake::Self decode = self(Sender::decode);
  decode.hello.backends = {"tcp", "nixl"};
  const Talk talk(self(Sender::prefill), decode);
  EXPECT_EQ(talk.decode_end.verdict, Verdict::refused);
  EXPECT_NE(talk.decode_end.words.find("has tcp nixl"), std::string::npos) << talk.decode_end.words;
  EXPECT_NE(talk.decode_end.words.find("has shm"), std::string::npos) << talk.decode_end.words;
}

TEST(Handshake, a_proof_cannot_be_sent_back) {
  Handshake decode(self(Sender::decode));
  decode.begin();
  decode.take(self(Sender::prefill).hello);
  const Handshake::Step proving = decode.take(Challenge{Digest{1}});
  ASSERT_EQ(proving.answers.size(), 2u);
  EXPECT_EQ(decode.take(proving.answers[1]).verdict, Verdict::refused);
}

TEST(Handshake, not_even_with_our_own_hello_and_nonce_before_it) {
  Handshake decode(self(Sender::decode));
  const std::vector<HandshakeFrame> hello = decode.begin().answers;
  decode.take(hello.front());
  const Handshake::Step proving = decode.take(Challenge{self(Sender::decode).nonce});
  EXPECT_EQ(decode.take(proving.answers[1]).verdict, Verdict::refused);
}

TEST(Handshake, a_proof_is_of_no_use_on_another_connection) {
  const Talk earlier(self(Sender::prefill), self(Sender::decode));
  Handshake::Self fresh = self(Sender::prefill);
  fresh.nonce = Digest{99};
  Handshake prefill(fresh);
  Handshake::Step end;
  for (const HandshakeFrame& frame : earlier.from_decode) end = prefill.take(frame);
  EXPECT_EQ(end.verdict, Verdict::refused);
}

TEST(Handshake, anything_out_of_turn_is_refused) {
  EXPECT_EQ(Handshake(self(Sender::prefill)).take(Proof{}).verdict, Verdict::refused);
  EXPECT_EQ(Handshake(self(Sender::prefill)).take(Challenge{}).verdict, Verdict::refused);
  EXPECT_EQ(Handshake(self(Sender::prefill)).take(ShmMapped{}).verdict, Verdict::refused);
  Handshake prefill(self(Sender::prefill));
  EXPECT_EQ(prefill.take(self(Sender::decode).hello).verdict, Verdict::going);
  EXPECT_EQ(prefill.take(ShmMapped{}).verdict, Verdict::refused);
  EXPECT_EQ(prefill.take(Proof{}).verdict, Verdict::refused);
  EXPECT_EQ(prefill.take(self(Sender::decode).hello).verdict, Verdict::refused);
}

TEST(HandshakeWire, frames_come_back_and_cut_ones_are_refused) {
  const std::vector<HandshakeFrame> frames = {self(Sender::decode).hello,
                                              Challenge{Digest{3}},
                                              Proof{Digest{4}},
                                              Refusal{"no"},
                                              ShmOffer{.path = "/run/x.sock", .nonce = Digest{5}, .pages = 6},
                                              ShmMapped{}};
  for (const HandshakeFrame& frame : frames) {
    const std::vector<std::uint8_t> bytes = encode_handshake(frame, {8, 9});
    const std::span<const std::uint8_t> payload = std::span(bytes).subspan(4);
    const std::variant<ReceivedHandshake, Malformed> decoded = decode_handshake(payload);
    ASSERT_TRUE(std::holds_alternative<ReceivedHandshake>(decoded)) << frame.index();
    EXPECT_EQ(encode_handshake(std::get<ReceivedHandshake>(decoded).frame, {8, 9}), bytes);
    for (std::size_t count = 0; count < payload.size(); ++count) {
      EXPECT_TRUE(std::holds_alternative<Malformed>(decode_handshake(payload.first(count)))) << count;
    }
  }
}

TEST(HandshakeWire, a_hello_of_another_version_is_read_up_to_the_version) {
  Hello hello = self(Sender::decode).hello;
  hello.version = 9;
  std::vector<std::uint8_t> bytes = encode_handshake(hello, {});
  bytes.resize(4 + 1 + 4 + 2 + 3);  // length, kind, magic, version, and something that we do not know
  const std::variant<ReceivedHandshake, Malformed> decoded = decode_handshake(std::span(bytes).subspan(4));
  ASSERT_TRUE(std::holds_alternative<ReceivedHandshake>(decoded));
  EXPECT_EQ(std::get<Hello>(std::get<ReceivedHandshake>(decoded).frame).version, 9);
}

}  // namespace
}  // namespace pd
