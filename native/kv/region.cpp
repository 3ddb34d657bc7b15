#include "kv/region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

namespace pd {
namespace {

constexpr std::size_t memory_page = 4096;
// Nobody can pull the memory away under a reader (SHRINK), and nobody but the creator's mapping writes it.
constexpr int seals = F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;

static_assert(Generation::is_always_lock_free, "generations are shared between processes");
static_assert(sizeof(RegionHeader) % alignof(Generation) == 0);

std::size_t pages_begin(const KvLayout& layout) {
  const std::size_t table = sizeof(RegionHeader) + layout.pages * sizeof(Generation);
  return (table + memory_page - 1) / memory_page * memory_page;
}

std::system_error system_error(const std::string& words) {
  return std::system_error(errno, std::generic_category(), words);
}

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& found) {
  throw std::runtime_error("the peer's page pool has another " + what + ": expected " + expected + ", found " + found);
}

void expect(const char* what, std::uint64_t expected, std::uint64_t found) {
  if (expected != found) refuse(what, std::to_string(expected), std::to_string(found));
}

void expect_sealed_file(int fd, std::size_t bytes) {
  struct stat status{};
  if (fstat(fd, &status) != 0) throw system_error("the peer's page pool cannot be looked at");
  expect("size", bytes, static_cast<std::uint64_t>(status.st_size));
  const int found = fcntl(fd, F_GET_SEALS);
  if (found < 0 || (found & seals) != seals) {
    refuse("protection", "memory sealed against resizing and writing", "seals " + std::to_string(std::max(found, 0)));
  }
}

void expect_header(const RegionHeader& header, const KvLayout& layout, const Digest& fingerprint,
                   Incarnation incarnation) {
  expect("magic number", region_magic, header.magic);
  expect("number of pages", layout.pages, header.pages);
  expect("page size", layout.page_bytes(), header.page_bytes);
  expect("incarnation", incarnation, header.incarnation);
  if (header.fingerprint != fingerprint) refuse("layout fingerprint", "that of this engine", "a different one");
}

}  // namespace

std::unique_ptr<Region> Region::create(const KvLayout& layout, const Digest& fingerprint, Incarnation incarnation) {
  const std::size_t bytes = pages_begin(layout) + layout.pages_bytes();
  const int fd = memfd_create("pdctl-kv", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) throw system_error("no memory file for the page pool");
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    const std::system_error error = system_error("no " + std::to_string(bytes) + " bytes for the page pool");
    close(fd);
    throw error;
  }
  std::unique_ptr<Region> region(new Region(fd, layout, true));
  // After our own mapping: this seal stops writable mappings that come later.
  if (fcntl(fd, F_ADD_SEALS, seals) != 0) throw system_error("the page pool cannot be sealed");
  new (region->base_) RegionHeader{.magic = region_magic,
                                   .fingerprint = fingerprint,
                                   .incarnation = incarnation,
                                   .pages = layout.pages,
                                   .page_bytes = static_cast<std::uint32_t>(layout.page_bytes())};
  for (Generation& generation : region->generations()) new (&generation) Generation(1);  // odd: nobody's
  return region;
}

std::unique_ptr<const Region> Region::open(int fd, const KvLayout& layout, const Digest& fingerprint,
                                           Incarnation incarnation) {
  try {
    expect_sealed_file(fd, pages_begin(layout) + layout.pages_bytes());
  } catch (...) {
    close(fd);
    throw;
  }
  std::unique_ptr<const Region> region(new Region(fd, layout, false));
  expect_header(*reinterpret_cast<const RegionHeader*>(region->base_), layout, fingerprint, incarnation);
  return region;
}

Region::Region(int fd, const KvLayout& layout, bool writable)
    : layout_(layout), fd_(fd), bytes_(pages_begin(layout) + layout.pages_bytes()) {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* base = mmap(nullptr, bytes_, protection, MAP_SHARED, fd_, 0);
  if (base == MAP_FAILED) {
    const std::system_error error = system_error("the page pool cannot be mapped");
    close(fd_);
    throw error;
  }
  base_ = static_cast<std::uint8_t*>(base);
  pages_ = base_ + pages_begin(layout);
  generations_ = reinterpret_cast<Generation*>(base_ + sizeof(RegionHeader));
}

Region::~Region() {
  munmap(base_, bytes_);
  close(fd_);
}

void Region::populate(std::span<const PageId> pages) const {
  const auto touch = [&](std::size_t begin, std::size_t end) {
    std::uint8_t* from = pages_ + begin / memory_page * memory_page;
    const std::size_t bytes = static_cast<std::size_t>(pages_ + end - from);
    // The first works on a mapping of our own, the second on a peer's; kernels before 5.14 know neither.
    if (madvise(from, bytes, MADV_POPULATE_WRITE) == 0) return;
    if (madvise(from, bytes, MADV_POPULATE_READ) == 0) return;
    for (std::size_t at = 0; at < bytes; at += memory_page)
      static_cast<void>(*static_cast<volatile std::uint8_t*>(from + at));
  };
  for (std::uint32_t layer = 0; layer < layout_.layers; ++layer) {
    for (std::size_t i = 0; i < pages.size();) {
      std::size_t run = 1;  // neighbours cost one call
      while (i + run < pages.size() && pages[i + run] == pages[i] + run) ++run;
      const std::size_t begin = layout_.offset(layer, pages[i]);
      touch(begin, begin + run * layout_.page_bytes());
      i += run;
    }
  }
}

}  // namespace pd
