#include "shim/ring.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

namespace pd {

namespace {

std::string take_some(Ring& ring, size_t most) {
  std::string taken(most, '\0');
  taken.resize(ring.take(taken));
  return taken;
}

}  // namespace

TEST(Ring, gives_bytes_back_in_order_around_its_end) {
  Ring ring(8);
  ring.put(std::string("abcdef"));
  EXPECT_EQ(take_some(ring, 4), "abcd");
  ring.put(std::string("ghijkl"));
  std::string rest;
  while (rest.size() < 8) rest += take_some(ring, 8);
  EXPECT_EQ(rest, "efghijkl");
  EXPECT_EQ(ring.bytes_dropped(), 0u);
}

TEST(Ring, drops_and_counts_what_has_no_room) {
  Ring ring(4);
  ring.put(std::string("abcdef"));
  ring.put(std::string("gh"));
  EXPECT_EQ(ring.bytes_dropped(), 4u);
  EXPECT_EQ(take_some(ring, 8), "abcd");
}

TEST(Ring, ends_after_the_last_byte_once_it_is_closed) {
  Ring ring(4);
  ring.put(std::string("ab"));
  ring.close();
  EXPECT_EQ(take_some(ring, 8), "ab");
  EXPECT_EQ(take_some(ring, 8), "");
}

TEST(Ring, loses_nothing_between_two_threads_that_it_has_not_counted) {
  Ring ring(1024);
  constexpr size_t rounds = 20'000;
  size_t taken = 0;
  std::thread taker([&] {
    std::array<char, 300> some;
    while (const size_t count = ring.take(some)) taken += count;
  });
  const std::string line(37, 'x');
  for (size_t round = 0; round < rounds; ++round) ring.put(line);
  ring.close();
  taker.join();
  EXPECT_EQ(taken + ring.bytes_dropped(), rounds * line.size());
}

}  // namespace pd
