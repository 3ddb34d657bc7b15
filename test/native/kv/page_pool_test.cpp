#include "kv/page_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace pd {
namespace {

constexpr KvLayout layout{.layers = 1, .kv_heads = 1, .head_dim = 2, .pages = 16};

struct Pool {
  explicit Pool(PageOrder order = PageOrder::contiguous)
      : region(Region::create(layout, {}, 1)), pages(*region, order) {}
  std::unique_ptr<Region> region;
  PagePool pages;
};

TEST(PagePool, gives_all_that_is_asked_or_nothing) {
  Pool pool;
  const auto taken = pool.pages.take(10);
  ASSERT_TRUE(taken);
  EXPECT_EQ(std::set(taken->begin(), taken->end()).size(), 10u);
  EXPECT_FALSE(pool.pages.take(7));
  EXPECT_EQ(pool.pages.pages_free(), 6u);
  EXPECT_TRUE(pool.pages.take(6));
  EXPECT_TRUE(pool.pages.take(0));
}

TEST(PagePool, hands_out_neighbours_or_on_request_never_two_in_a_row) {
  Pool pool;
  const KvPages neighbours = pool.pages.take(5).value();
  for (std::size_t i = 1; i < neighbours.size(); ++i) EXPECT_EQ(neighbours[i], neighbours[i - 1] + 1);
  Pool scattered(PageOrder::scattered);
  const KvPages pages = scattered.pages.take(12).value();
  for (std::size_t i = 1; i < pages.size(); ++i) {
    EXPECT_NE(pages[i], pages[i - 1] + 1);
    EXPECT_NE(pages[i] + 1, pages[i - 1]);
  }
}

TEST(PagePool, changes_a_pages_generation_when_it_gets_and_when_it_loses_its_owner) {
  Pool pool;
  EXPECT_EQ(pool.pages.generation(0), 1u);
  const KvPages pages = pool.pages.take(1).value();
  EXPECT_EQ(pool.pages.generation(0), 2u);
  pool.pages.pin(pages);
  pool.pages.release(pages);
  EXPECT_EQ(pool.pages.generation(0), 2u);  // the transfer still knows it
  pool.pages.unpin(pages);
  EXPECT_EQ(pool.pages.generation(0), 3u);
}

TEST(PagePool, holds_a_page_after_a_forced_failure_until_it_is_let_go) {
  Pool pool;
  const KvPages pages = pool.pages.take(2).value();
  pool.pages.pin(pages);
  pool.pages.hold(pages);
  EXPECT_EQ(pool.pages.pages_held(), 0u);  // the sequence has them still
  pool.pages.release(pages);
  EXPECT_EQ(pool.pages.pages_held(), 2u);
  EXPECT_EQ(pool.pages.pages_live(), 0u);
  EXPECT_EQ(pool.pages.pages_free(), 14u);
  EXPECT_FALSE(pool.pages.check({.sequences = {}, .pins = {}, .holds = {pages}}));
  pool.pages.unhold(pages);
  EXPECT_EQ(pool.pages.pages_held(), 0u);
  EXPECT_EQ(pool.pages.pages_free(), 16u);
}

TEST(PagePool, says_which_page_its_owners_see_otherwise) {
  Pool pool;
  const KvPages pages = pool.pages.take(3).value();
  EXPECT_FALSE(pool.pages.check({.sequences = {pages}, .pins = {}, .holds = {}}));
  const auto wrong = pool.pages.check({.sequences = {}, .pins = {}, .holds = {}});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "page 0: sequences counted 1, owners say 0");
}

TEST(PagePoolDeathTest, stops_the_program_when_a_page_is_given_back_twice) {
  Pool pool;
  const KvPages pages = pool.pages.take(1).value();
  pool.pages.release(pages);
  EXPECT_DEATH(pool.pages.release(pages), "a released page is owned by a sequence");
}

// One request of a random life: its sequence may end before its transfer, or fail by force.
struct Life {
  KvPages pages;
  bool sequence = true, pinned = false, held = false;
};

class RandomLives {
 public:
  RandomLives(PagePool& pool, std::uint32_t seed) : pool_(pool), random_(seed) {}

  void step() {
    if (draw(3) == 0 || lives_.empty()) {
      begin();
    } else {
      advance(lives_[draw(static_cast<std::uint32_t>(lives_.size()))]);
      std::erase_if(lives_, [](const Life& life) { return !life.sequence && !life.pinned && !life.held; });
    }
  }

  std::optional<std::string> check() const {
    PagePool::Owners owners;
    for (const Life& life : lives_) {
      if (life.sequence) owners.sequences.push_back(life.pages);
      if (life.pinned) owners.pins.push_back(life.pages);
      if (life.held) owners.holds.push_back(life.pages);
    }
    if (pool_.pages_free() + pool_.pages_live() + pool_.pages_held() != pool_.pages_total())
      return "they do not add up";
    return pool_.check(owners);
  }

 private:
  std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  void begin() {
    if (auto pages = pool_.take(1 + draw(5))) lives_.push_back({.pages = std::move(*pages)});
  }

  void advance(Life& life) {
    switch (draw(5)) {
      case 0:
        if (life.sequence && !life.pinned && !life.held) pool_.pin(life.pages), life.pinned = true;
        return;
      case 1:
        if (life.sequence) pool_.release(life.pages), life.sequence = false;
        return;
      case 2:
        if (life.pinned) pool_.unpin(life.pages), life.pinned = false;
        return;
      case 3:
        if (life.pinned) pool_.hold(life.pages), life.pinned = false, life.held = true;
        return;
      case 4:
        if (life.held) pool_.unhold(life.pages), life.held = false;
        return;
    }
  }

  PagePool& pool_;
  std::mt19937 random_;
  std::vector<Life> lives_;
};

TEST(PagePool, counts_right_after_each_of_many_random_steps) {
  const std::uint32_t seed = std::random_device{}();
  for (const PageOrder order : {PageOrder::contiguous, PageOrder::scattered}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Pool pool(order);
    RandomLives lives(pool.pages, seed);
    for (int i = 0; i < 20000; ++i) {
      lives.step();
      const auto wrong = lives.check();
      ASSERT_FALSE(wrong) << *wrong << " after step " << i;
    }
  }
}

}  // namespace
}  // namespace pd
