#include "kv/page_pool.h"

#include <algorithm>
#include <functional>

#include "core/check.h"

namespace pd {

PagePool::PagePool(Region& region, PageOrder order)
    : region_(region), order_(order), counts_(region.layout().pages), free_(region.layout().pages) {
  for (std::uint32_t i = 0; i < free_.size(); ++i) free_[i] = pages_total() - 1 - i;
}

std::optional<KvPages> PagePool::take(std::uint32_t count) {
  if (count > free_.size()) return std::nullopt;
  KvPages pages;
  pages.reserve(count);
  while (pages.size() < count) {
    const PageId page = pop(pages.empty() ? std::nullopt : std::optional<PageId>(pages.back()));
    change(page, {.sequences = 1});
    pages.push_back(page);
  }
  return pages;
}

// The lowest free page; with scattered order the lowest that is no neighbour of the one before.
PageId PagePool::pop(std::optional<PageId> before) {
  auto it = free_.rbegin();
  if (order_ == PageOrder::scattered && before) {
    const auto apart = [&](PageId page) { return page != *before + 1 && page + 1 != *before; };
    const auto found = std::find_if(it, free_.rend(), apart);
    if (found != free_.rend()) it = found;
  }
  const PageId page = *it;
  free_.erase(std::next(it).base());
  return page;
}

void PagePool::release(std::span<const PageId> pages) {
  for (const PageId page : pages) {
    Count to = counts_[page];
    PD_CHECK(to.sequences > 0, "a released page is owned by a sequence");
    --to.sequences;
    change(page, to);
  }
}

void PagePool::pin(std::span<const PageId> pages) {
  for (const PageId page : pages) {
    Count to = counts_[page];
    PD_CHECK(to.sequences > 0 || to.pins > 0, "only a live page is pinned");
    ++to.pins;
    change(page, to);
  }
}

void PagePool::unpin(std::span<const PageId> pages) {
  for (const PageId page : pages) {
    Count to = counts_[page];
    PD_CHECK(to.pins > 0, "an unpinned page was pinned");
    --to.pins;
    change(page, to);
  }
}

void PagePool::hold(std::span<const PageId> pages) {
  for (const PageId page : pages) {
    Count to = counts_[page];
    PD_CHECK(to.pins > 0, "a held page was pinned by its transfer");
    --to.pins;
    ++to.holds;
    change(page, to);
  }
}

void PagePool::unhold(std::span<const PageId> pages) {
  for (const PageId page : pages) {
    Count to = counts_[page];
    PD_CHECK(to.holds > 0, "a page that is let go was held");
    --to.holds;
    change(page, to);
  }
}

void PagePool::change(PageId page, Count to) {
  Count& count = counts_[page];
  held_ = held_ - (count.is_held() ? 1 : 0) + (to.is_held() ? 1 : 0);
  if (count.is_free() != to.is_free()) {
    region_.generations()[page].fetch_add(1);
    // A reader in another process must see the new generation before anything that the next owner writes.
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  if (to.is_free()) free_.insert(std::lower_bound(free_.begin(), free_.end(), page, std::greater<>()), page);
  count = to;
}

std::uint32_t PagePool::pages_total() const { return static_cast<std::uint32_t>(counts_.size()); }
std::uint32_t PagePool::pages_free() const { return static_cast<std::uint32_t>(free_.size()); }
std::uint32_t PagePool::pages_live() const { return pages_total() - pages_free() - pages_held(); }
std::uint32_t PagePool::pages_held() const { return held_; }
std::uint64_t PagePool::generation(PageId page) const { return region_.generations()[page].load(); }

}  // namespace pd
