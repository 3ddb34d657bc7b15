#pragma once
// The memory of one engine's pool: an anonymous shared file (memfd), sealed against resize and against
// new writable mappings, so that a peer can map it read-only and nothing else. Begins with a header and
// one 64-bit generation a page; the pages follow, aligned to 4096.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/hash.h"
#include "core/ids.h"
#include "kv/layout.h"

namespace pd {

struct RegionHeader {
  std::uint64_t magic;  // region_magic
  Digest fingerprint;   // of the layout and the model: both sides must agree on it
  Incarnation incarnation;
  std::uint32_t pages;
  std::uint32_t page_bytes;  // of one layer
};
constexpr std::uint64_t region_magic = 0x314c4f4f504b4450;  // "PDKPOOL1"

// A generation is odd while nobody owns the page. Even and unchanged means: still the page you know.
using Generation = std::atomic<std::uint64_t>;

class Region {
 public:
  // Our own pool, writable. Throws std::system_error when the memory cannot be had.
  static std::unique_ptr<Region> create(const KvLayout& layout, const Digest& fingerprint, Incarnation incarnation);
  // A peer's pool, read-only, from a descriptor that it passed (ownership of fd is taken). Checks seals,
  // size, header and fingerprint; throws std::runtime_error that says what was expected and found.
  static std::unique_ptr<const Region> open(int fd, const KvLayout& layout, const Digest& fingerprint,
                                            Incarnation incarnation);

  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region();

  const KvLayout& layout() const { return layout_; }
  int fd() const { return fd_; }
  std::uint8_t* pages() { return pages_; }  // the first byte of page 0 of layer 0
  const std::uint8_t* pages() const { return pages_; }
  std::span<Generation> generations() { return {generations_, layout_.pages}; }
  std::span<const Generation> generations() const { return {generations_, layout_.pages}; }

  // Touches the memory of these pages, all layers, so that the first use does not pay for it.
  // Works on a read-only mapping too.
  void populate(std::span<const PageId> pages) const;

 private:
  Region(int fd, const KvLayout& layout, bool writable);

  KvLayout layout_;
  int fd_;
  std::uint8_t* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint8_t* pages_ = nullptr;
  Generation* generations_ = nullptr;
};

}  // namespace pd
