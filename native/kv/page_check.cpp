#include "kv/page_pool.h"

namespace pd {
namespace {

std::string words(PageId page, const char* what, std::uint32_t counted, std::uint32_t owners) {
  return "page " + std::to_string(page) + ": " + what + " counted " + std::to_string(counted) + ", owners say " +
         std::to_string(owners);
}

}  // namespace

std::optional<std::string> PagePool::check(const Owners& owners) const {
  std::vector<Count> found(counts_.size());
  const auto recount = [&](const std::vector<std::span<const PageId>>& lists, std::uint32_t Count::* member) {
    for (const std::span<const PageId> list : lists) {
      for (const PageId page : list) ++(found[page].*member);
    }
  };
  recount(owners.sequences, &Count::sequences);
  recount(owners.pins, &Count::pins);
  recount(owners.holds, &Count::holds);

  std::vector<std::uint32_t> listed(counts_.size());
  for (const PageId page : free_) ++listed[page];

  std::uint32_t held = 0;
  for (PageId page = 0; page < counts_.size(); ++page) {
    const Count& count = counts_[page];
    if (count.sequences != found[page].sequences) {
      return words(page, "sequences", count.sequences, found[page].sequences);
    }
    if (count.pins != found[page].pins) return words(page, "pins", count.pins, found[page].pins);
    if (count.holds != found[page].holds) return words(page, "holds", count.holds, found[page].holds);
    const std::uint32_t free = count.is_free() ? 1 : 0;
    if (listed[page] != free) return words(page, "free list entries", listed[page], free);
    if (generation(page) % 2 != free) return "page " + std::to_string(page) + ": its generation is of the wrong parity";
    held += count.is_held() ? 1 : 0;
  }
  if (held != held_) return "held pages counted " + std::to_string(held_) + ", found " + std::to_string(held);
  return std::nullopt;
}

}  // namespace pd
