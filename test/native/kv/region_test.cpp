#include "kv/region.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace pd {
namespace {

constexpr KvLayout layout{.layers = 2, .kv_heads = 1, .head_dim = 64, .pages = 5};
constexpr Digest fingerprint = {1, 2, 3};
constexpr Incarnation incarnation = 99;

std::string refusal(int fd, const KvLayout& expected, const Digest& print, Incarnation number) {
  try {
    Region::open(fd, expected, print, number);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Region, is_seen_by_a_reader_as_it_is_written) {
  const auto ours = Region::create(layout, fingerprint, incarnation);
  const auto theirs = Region::open(dup(ours->fd()), layout, fingerprint, incarnation);
  std::memset(ours->pages() + layout.offset(1, 3), 7, layout.page_bytes());
  ours->generations()[3] = 4;
  EXPECT_EQ(theirs->pages()[layout.offset(1, 3)], 7);
  EXPECT_EQ(theirs->pages()[layout.offset(1, 3) - 1], 0);
  EXPECT_EQ(theirs->generations()[3].load(), 4u);
}

TEST(Region, begins_with_pages_that_are_zero_aligned_and_nobodys) {
  const auto region = Region::create(layout, fingerprint, incarnation);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region->pages()) % 4096, 0u);
  for (std::size_t i = 0; i < layout.pages_bytes(); ++i) ASSERT_EQ(region->pages()[i], 0);
  for (const Generation& generation : region->generations()) EXPECT_EQ(generation.load() % 2, 1u);
}

TEST(Region, cannot_be_mapped_writable_a_second_time) {
  const auto region = Region::create(layout, fingerprint, incarnation);
  EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, region->fd(), 0), MAP_FAILED);
  void* reader = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, region->fd(), 0);
  ASSERT_NE(reader, MAP_FAILED);
  EXPECT_NE(mprotect(reader, 4096, PROT_READ | PROT_WRITE), 0);
  munmap(reader, 4096);
  const char byte = 1;
  EXPECT_LT(pwrite(region->fd(), &byte, 1, 0), 0);
}

TEST(Region, cannot_be_resized) {
  const auto region = Region::create(layout, fingerprint, incarnation);
  EXPECT_NE(ftruncate(region->fd(), 4096), 0);
  EXPECT_NE(ftruncate(region->fd(), 1 << 24), 0);
}

TEST(Region, of_a_peer_is_refused_with_what_differs) {
  const auto region = Region::create(layout, fingerprint, incarnation);
  EXPECT_NE(refusal(dup(region->fd()), layout, {9}, incarnation).find("fingerprint"), std::string::npos);
  EXPECT_NE(refusal(dup(region->fd()), layout, fingerprint, 98).find("incarnation: expected 98, found 99"),
            std::string::npos);
  KvLayout larger = layout;
  larger.pages = 6;
  EXPECT_NE(refusal(dup(region->fd()), larger, fingerprint, incarnation).find("size"), std::string::npos);
}

TEST(Region, of_a_peer_is_refused_when_it_could_shrink_under_the_reader) {
  const auto region = Region::create(layout, fingerprint, incarnation);
  const int fd = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(fd, lseek(region->fd(), 0, SEEK_END)), 0);
  EXPECT_NE(refusal(fd, layout, fingerprint, incarnation).find("sealed"), std::string::npos);
}

TEST(Region, populates_both_sides_without_changing_a_byte) {
  const auto ours = Region::create(layout, fingerprint, incarnation);
  const auto theirs = Region::open(dup(ours->fd()), layout, fingerprint, incarnation);
  ours->pages()[layout.offset(0, 2)] = 5;
  const PageId pages[] = {2, 3, 0};
  ours->populate(pages);
  theirs->populate(pages);
  EXPECT_EQ(theirs->pages()[layout.offset(0, 2)], 5);
  EXPECT_EQ(ours->pages()[layout.offset(1, 3)], 0);
}

}  // namespace
}  // namespace pd
