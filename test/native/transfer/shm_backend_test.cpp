#include "transfer/backends/shm/shm_backend.h"

#include <gtest/gtest.h>

#include "transfer/support/net_copies.h"

namespace pd {
namespace {

constexpr EvidenceKind landed = EvidenceKind::landed;
constexpr EvidenceKind error = EvidenceKind::error;
constexpr EvidenceKind skipped = EvidenceKind::skipped;
constexpr EvidenceKind drained = EvidenceKind::drained;

// Six pages, in pieces on both sides.
const KvPages scattered_from{90, 3, 4, 5, 127, 0}, scattered_to{7, 8, 95, 40, 41, 2};
constexpr std::uint32_t rows = 6 * page_tokens;

TEST(ShmBackend, copies_rows_byte_for_byte_from_neighbouring_pages) {
  NetCopies copies;
  copies.plan({3, 4, 5, 6}, {10, 11, 12, 13});
  copies.post(1, 0, 50);
  const Evidence said = copies.next();
  EXPECT_EQ(said.kind, landed) << said.words;
  EXPECT_EQ(said.key, copies.key);
  EXPECT_EQ(said.layer, 1u);
  EXPECT_EQ(said.rows, 50u);
  EXPECT_EQ(said.bytes, 50 * NetCopies::layout.token_bytes());
  EXPECT_EQ(copies.rows_that_differ(1, 0, 50), 0u);
}

TEST(ShmBackend, copies_rows_byte_for_byte_from_scattered_pages_in_pieces) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  const std::uint32_t cuts[] = {0, 5, 16, 47, 48, 90, rows};
  for (std::uint32_t layer = 0; layer < NetCopies::layout.layers; ++layer) {
    for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) copies.post(layer, cuts[i], cuts[i + 1] - cuts[i]);
    for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
      const Evidence said = copies.next();
      EXPECT_EQ(said.kind, landed) << said.words;
      EXPECT_EQ(said.rows, cuts[i + 1]);
    }
    EXPECT_EQ(copies.rows_that_differ(layer, 0, rows), 0u);
  }
}

TEST(ShmBackend, touches_only_the_rows_that_were_asked_for) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  const std::vector<std::uint8_t> before = copies.own_bytes();
  copies.post(2, 20, 7);
  EXPECT_EQ(copies.next().kind, landed);
  EXPECT_EQ(copies.rows_that_differ(2, 20, 7), 0u);
  const std::vector<std::uint8_t> after = copies.own_bytes();
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i] ? 1 : 0;
  EXPECT_LE(changed, 7 * NetCopies::layout.token_bytes());
}

TEST(ShmBackend, refuses_a_page_that_was_written_anew_since_it_was_announced) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.change_generation(5);
  copies.post(0, 0, rows);
  const Evidence said = copies.next();
  EXPECT_EQ(said.kind, error);
  EXPECT_EQ(said.words,
            "page 5 of the prefill engine has generation 14, announced was 12: it is not the same page any more");
}

TEST(ShmBackend, refuses_a_page_that_nobody_owns) {
  NetCopies copies;
  copies.free_page(3);
  copies.plan(scattered_from, scattered_to);  // announced as odd
  copies.post(0, 0, rows);
  EXPECT_EQ(copies.next().kind, error);
}

TEST(ShmBackend, discards_a_copy_during_which_the_page_changed) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.faults.park_copy_thread = true;
  copies.post(0, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  copies.change_generation(scattered_from[0]);  // its first page has been copied
  copies.faults.park_copy_thread = false;
  const Evidence said = copies.next();
  EXPECT_EQ(said.kind, error);
  EXPECT_NE(said.words.find("page 90 of the prefill engine"), std::string::npos) << said.words;
}

TEST(ShmBackend, stands_still_in_the_middle_of_a_pull_and_goes_on) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.faults.park_copy_thread = true;
  copies.post(0, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  EXPECT_TRUE(copies.pending().empty());
  EXPECT_FALSE(copies.row_arrived(0, 16));  // still the first page
  copies.faults.park_copy_thread = false;
  const Evidence said = copies.next();
  EXPECT_EQ(said.kind, landed) << said.words;
  EXPECT_EQ(copies.rows_that_differ(0, 0, rows), 0u);
}

TEST(ShmBackend, says_drained_at_once_when_nothing_was_posted) {
  NetCopies copies;
  copies.backend().cancel(copies.key);  // not even planned
  EXPECT_EQ(copies.next().kind, drained);
  copies.plan(scattered_from, scattered_to);
  copies.backend().cancel(copies.key);
  EXPECT_EQ(copies.next().kind, drained);
  EXPECT_TRUE(copies.pending().empty());
}

TEST(ShmBackend, a_cancelled_pull_writes_no_more_once_the_thread_goes_on) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.faults.park_copy_thread = true;
  copies.post(0, 0, rows);
  copies.post(1, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  copies.backend().cancel(copies.key);
  copies.backend().cancel(copies.key);
  EXPECT_TRUE(copies.pending().empty());  // it is not out of it yet
  copies.faults.park_copy_thread = false;
  EXPECT_EQ(copies.next().kind, skipped);
  EXPECT_EQ(copies.next().kind, drained);
  copies.settle();
  EXPECT_TRUE(copies.pending().empty());
  EXPECT_FALSE(copies.row_arrived(0, 16));
  EXPECT_FALSE(copies.row_arrived(1, 0));
}

TEST(ShmBackend, another_key_is_drained_while_the_thread_stands_still) {
  NetCopies copies;
  Key other = copies.key;
  other.room = 2;
  copies.plan(other, {20, 21}, {50, 51});
  copies.plan(scattered_from, scattered_to);
  copies.faults.park_copy_thread = true;
  copies.post(0, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  copies.backend().post({.key = other, .layer = 0, .first = 0, .count = 32});
  copies.backend().cancel(other);
  const Evidence said = copies.next();
  EXPECT_EQ(said.kind, drained);
  EXPECT_EQ(said.key, other);
  copies.faults.park_copy_thread = false;
  EXPECT_EQ(copies.next().kind, landed);
  copies.settle();
  EXPECT_TRUE(copies.pending().empty());  // the pull of the drained key was not done and is not spoken of
}

TEST(ShmBackend, does_not_wait_for_the_thread_when_the_connection_closes) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.faults.park_copy_thread = true;
  copies.post(0, 0, rows);
  copies.post(1, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  copies.backend().detach(0xA1);
  EXPECT_TRUE(copies.pending().empty());
  copies.faults.park_copy_thread = false;
  for (int pulls = 0; pulls < 2; ++pulls) {
    const Evidence said = copies.next();
    EXPECT_EQ(said.kind, error);
    EXPECT_NE(said.words.find("not mapped any more"), std::string::npos) << said.words;
  }
  copies.backend().cancel(copies.key);
  EXPECT_EQ(copies.next().kind, drained);
}

TEST(ShmBackend, pulls_again_after_the_same_engine_has_connected_anew) {
  NetCopies copies;
  copies.faults.park_copy_thread = true;
  copies.plan(scattered_from, scattered_to);
  copies.post(0, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  copies.backend().detach(0xA1);
  copies.attach();
  copies.faults.park_copy_thread = false;
  EXPECT_EQ(copies.next().kind, error);  // of the old mapping
  copies.post(1, 0, rows);
  EXPECT_EQ(copies.next().kind, landed);
  EXPECT_EQ(copies.rows_that_differ(1, 0, rows), 0u);
}

TEST(ShmBackend, ends_while_its_thread_stands_still) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.faults.park_copy_thread = true;
  copies.post(0, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  copies.destroy_backend();
}

TEST(ShmBackend, a_forgotten_key_is_not_spoken_of) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.post(0, 0, rows);
  EXPECT_EQ(copies.next().kind, landed);
  copies.backend().forget(copies.key);
  copies.settle();
  EXPECT_TRUE(copies.pending().empty());
}

TEST(ShmBackend, pages_beyond_a_pool_and_rows_beyond_the_pages_are_errors) {
  struct Case {
    const char* what;
    KvPages from, to;
    std::uint32_t layer, first, count;
  };
  const Case cases[] = {
      {"the peer's page is beyond its pool", {NetCopies::peer_layout.pages}, {0}, 0, 0, 16},
      {"our page is beyond our pool", {0}, {NetCopies::layout.pages}, 0, 0, 16},
      {"more pages than we have taken", {0, 1}, {0}, 0, 0, 16},
      {"no such layer", {0}, {0}, NetCopies::layout.layers, 0, 16},
      {"rows beyond the pages", {0}, {0}, 0, 8, 9},
      {"rows that overflow", {0}, {0}, 0, 0xfffffff0u, 0x20},
  };
  NetCopies copies;
  Key key = copies.key;
  for (const Case& row : cases) {
    ++key.room;
    copies.plan(key, row.from, row.to);
    copies.backend().post({.key = key, .layer = row.layer, .first = row.first, .count = row.count});
    const Evidence said = copies.next();
    EXPECT_EQ(said.kind, error) << row.what;
    EXPECT_FALSE(said.words.empty()) << row.what;
  }
}

TEST(ShmBackend, a_pull_without_a_plan_is_an_error) {
  NetCopies copies;
  copies.post(0, 0, 16);
  EXPECT_EQ(copies.next().kind, error);
}

TEST(ShmBackend, takes_no_more_than_its_bound) {
  NetCopies copies;
  copies.plan(scattered_from, scattered_to);
  copies.faults.park_copy_thread = true;
  copies.post(0, 0, rows);
  ASSERT_TRUE(copies.wait_for_row(0, 15));
  std::vector<Evidence> said;
  for (int i = 0; i < 200'000 && said.empty(); ++i) {
    copies.post(0, 0, 1);
    said = copies.pending();
  }
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].kind, error);
  EXPECT_EQ(said[0].words, "the copy thread has too much to do");
  copies.destroy_backend();
}

}  // namespace
}  // namespace pd
