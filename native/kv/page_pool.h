#pragma once
// Who owns which page. A page is free, live or held, and the three add up to all pages:
//   live: references = sequences + cache entries + transfer pins, all counted here;
//   held: after a forced failure, until there is proof that no write or read can still land.
// Only the loop thread calls this. Time never frees a page.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.h"
#include "kv/region.h"

namespace pd {

// The pages of one sequence in order: token i lies in pages[i / page_tokens].
using KvPages = std::vector<PageId>;

// In which order free pages are handed out. `scattered` is for tests: never two in a row.
enum class PageOrder { contiguous, scattered };

class PagePool {
 public:
  PagePool(Region& region, PageOrder order);

  // `count` pages with one sequence reference each, or none at all: expected under load, the caller waits.
  [[nodiscard]] std::optional<KvPages> take(std::uint32_t count);
  // Drops the sequence reference. A page without any reference is free at once and its generation odd.
  void release(std::span<const PageId> pages);

  // A transfer reads from or writes into these pages.
  void pin(std::span<const PageId> pages);
  void unpin(std::span<const PageId> pages);

  // The pins become holds: the page is held once no other reference is left, and free after `unhold`.
  void hold(std::span<const PageId> pages);
  void unhold(std::span<const PageId> pages);

  std::uint32_t pages_total() const;
  std::uint32_t pages_free() const;
  std::uint32_t pages_live() const;
  std::uint32_t pages_held() const;
  std::uint64_t generation(PageId page) const;

  // Every count again from its owners; the words say which page differs and how, none when all agree.
  struct Owners { std::vector<std::span<const PageId>> sequences, pins, holds; };
  [[nodiscard]] std::optional<std::string> check(const Owners& owners) const;

 private:
  struct Count {
    std::uint32_t sequences = 0, pins = 0, holds = 0;
    bool is_free() const { return sequences == 0 && pins == 0 && holds == 0; }
    bool is_held() const { return sequences == 0 && pins == 0 && holds > 0; }
    bool operator==(const Count&) const = default;
  };
  PageId pop(std::optional<PageId> before);
  void change(PageId page, Count to);  // the only place where counts change

  Region& region_;
  PageOrder order_;
  std::vector<Count> counts_;
  std::vector<PageId> free_;  // descending: the lowest is at the back
  std::uint32_t held_ = 0;
};

}  // namespace pd
