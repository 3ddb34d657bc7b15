#include "transfer/wire.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "transfer/net/framing.h"
#include "transfer/support/net_frames.h"

namespace pd {
namespace {

constexpr std::size_t kinds = std::variant_size_v<Frame>;
constexpr std::size_t length_bytes = 4;

std::vector<std::uint8_t> payload_of(const Frame& frame, const Incarnations& incarnations = {1, 2}) {
  const std::vector<std::uint8_t> bytes = encode(frame, incarnations);
  return {bytes.begin() + length_bytes, bytes.end()};
}

bool refused(std::span<const std::uint8_t> payload) { return std::holds_alternative<Malformed>(decode(payload)); }

TEST(Wire, every_frame_comes_back_as_it_was) {
  NetFrames frames(101);
  for (std::size_t i = 0; i < 200 * kinds; ++i) {
    const Frame frame = frames.next(i % kinds);
    const Incarnations incarnations = frames.incarnations();
    const std::variant<Received, Malformed> decoded = decode(payload_of(frame, incarnations));
    ASSERT_TRUE(std::holds_alternative<Received>(decoded)) << std::get<Malformed>(decoded).words;
    EXPECT_EQ(std::get<Received>(decoded).incarnations, incarnations);
    EXPECT_TRUE(same_frame(std::get<Received>(decoded).frame, frame)) << "kind " << i % kinds << ", round " << i;
  }
}

TEST(Wire, a_frame_that_was_cut_anywhere_is_refused) {
  NetFrames frames(102);
  for (std::size_t i = 0; i < 20 * kinds; ++i) {
    const std::vector<std::uint8_t> payload = payload_of(frames.next(i % kinds));
    for (std::size_t bytes = 0; bytes < payload.size(); ++bytes) {
      ASSERT_TRUE(refused(std::span(payload).first(bytes))) << "kind " << i % kinds << " of " << bytes << " bytes";
    }
  }
}

TEST(Wire, bytes_behind_the_end_are_refused) {
  NetFrames frames(103);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    std::vector<std::uint8_t> payload = payload_of(frames.next(kind));
    payload.push_back(0);
    EXPECT_TRUE(refused(payload)) << "kind " << kind;
  }
}

TEST(Wire, whatever_decodes_encodes_to_the_same_bytes) {
  const std::uint32_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 104;
  RecordProperty("seed", static_cast<int>(seed));
  SCOPED_TRACE("seed " + std::to_string(seed));
  NetFrames frames(seed);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < 100'000; ++i) {
    std::vector<std::uint8_t> payload;
    if (i % 2 == 0) {
      payload = frames.bytes(frames.number() % 100);
      if (!payload.empty()) payload[0] = static_cast<std::uint8_t>(14 + frames.number() % 16);
    } else {
      payload = payload_of(frames.next(i % kinds));
      payload[frames.number() % payload.size()] ^= static_cast<std::uint8_t>(1u << (frames.number() % 8));
    }
    const std::variant<Received, Malformed> decoded = decode(payload);
    const Received* received = std::get_if<Received>(&decoded);
    if (received == nullptr) continue;
    ++accepted;
    ASSERT_EQ(payload_of(received->frame, received->incarnations), payload);
  }
  EXPECT_GT(accepted, 0u);
}

TEST(Wire, kinds_that_nobody_knows_are_named) {
  std::vector<std::uint8_t> payload = payload_of(Credit{});
  for (const int kind : {0, 1, 15, 28, 255}) {
    payload[0] = static_cast<std::uint8_t>(kind);
    const std::variant<Received, Malformed> decoded = decode(payload);
    ASSERT_TRUE(std::holds_alternative<Malformed>(decoded));
    EXPECT_EQ(std::get<Malformed>(decoded).words, "frame of unknown kind " + std::to_string(kind));
  }
}

TEST(Wire, a_count_beyond_the_bytes_takes_no_memory) {
  std::vector<std::uint8_t> payload = payload_of(Source{.key = {}, .pages = {1}, .generations = {2}});
  const std::size_t count_at = payload.size() - 12 - 4;
  std::fill_n(payload.begin() + static_cast<std::ptrdiff_t>(count_at), 4, std::uint8_t{0xff});
  const std::variant<Received, Malformed> decoded = decode(payload);
  ASSERT_TRUE(std::holds_alternative<Malformed>(decoded));
  EXPECT_EQ(std::get<Malformed>(decoded).words, "source frame counts 4294967295 elements, and has bytes for 1");
}

TEST(Wire, a_room_beyond_63_bits_is_refused) {
  EXPECT_FALSE(refused(payload_of(Credit{{.room = room_max, .prefill = 1, .decode = 2}})));
  EXPECT_TRUE(refused(payload_of(Credit{{.room = room_max + 1, .prefill = 1, .decode = 2}})));
}

TEST(Wire, words_that_are_too_long_are_cut_between_characters) {
  std::string why(words_bytes_max - 1, 'a');
  why += "\u00e9 and more";
  const std::variant<Received, Malformed> decoded = decode(payload_of(Failed{{}, FailureCode::aborted, why}));
  ASSERT_TRUE(std::holds_alternative<Received>(decoded));
  EXPECT_EQ(std::get<Failed>(std::get<Received>(decoded).frame).why, std::string(words_bytes_max - 1, 'a'));
}

TEST(Wire, a_frame_concerns_one_pair_of_engines) {
  const Key ours{.room = 1, .prefill = 10, .decode = 20}, stale{.room = 1, .prefill = 9, .decode = 20};
  EXPECT_TRUE(concerns(Credit{ours}, 10, 20));
  EXPECT_FALSE(concerns(Credit{stale}, 10, 20));
  EXPECT_FALSE(concerns(Credit{ours}, 20, 10));
  const auto entry = [](const Key& key) { return ProgressEntry{key, PrefillStage::running, 0, 0}; };
  EXPECT_TRUE(concerns(Progress{1, {entry(ours)}}, 10, 20));
  EXPECT_FALSE(concerns(Progress{1, {entry(ours), entry(stale)}}, 10, 20));
}

TEST(Wire, each_side_says_only_its_own_things) {
  EXPECT_TRUE(may_send(Sender::decode, Present{}));
  EXPECT_FALSE(may_send(Sender::prefill, Present{}));
  EXPECT_TRUE(may_send(Sender::prefill, Final{}));
  EXPECT_FALSE(may_send(Sender::decode, Final{}));
  EXPECT_TRUE(may_send(Sender::decode, Abort{}));
  EXPECT_TRUE(may_send(Sender::prefill, Abort{}));
}

TEST(FrameReader, gives_whole_payloads_however_the_bytes_come) {
  FrameReader reader(100);
  std::vector<std::uint8_t> stream;
  for (std::uint8_t size = 1; size <= 100; ++size) {
    const std::vector<std::uint8_t> frame = with_length(std::vector<std::uint8_t>(size, size));
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  std::uint8_t next = 1;
  for (const std::uint8_t byte : stream) {
    reader.append({&byte, 1});
    while (const std::optional<std::span<const std::uint8_t>> payload = reader.next()) {
      EXPECT_EQ(std::vector<std::uint8_t>(payload->begin(), payload->end()), std::vector<std::uint8_t>(next, next));
      ++next;
    }
    ASSERT_FALSE(reader.bad_length());
  }
  EXPECT_EQ(next, 101);
}

TEST(FrameReader, names_a_length_that_no_frame_has) {
  for (const std::uint32_t length : {0u, 101u, 0xffffffffu}) {
    FrameReader reader(100);
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(length >> (8 * i)));
    reader.append(bytes);
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.bad_length(), length);
  }
}

}  // namespace
}  // namespace pd
