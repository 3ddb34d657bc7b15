#include "transfer/support/small_prefill.h"

#include <cstring>

namespace pd {

Digest prompt_of(Room room) { return Digest{mark_of(room)}; }
std::uint8_t mark_of(Room room) { return static_cast<std::uint8_t>(room % 251 + 1); }

SmallPrefill::SmallPrefill(Incarnation own, const ManualClock& clock, Faults& faults)
    : incarnation(own),
      region(Region::create(small_layout, Digest{1}, own)),
      pool(*region, PageOrder::scattered),
      senders(Senders::create({*this, pool, clock, faults, *ranks, small_deadlines, own, small_layout.layers})) {}

void SmallPrefill::add(Room room) { static_cast<void>(senders->add(room, prompt_of(room), small_tokens)); }

void SmallPrefill::begin_one() {
  if (queue_.empty()) return;
  std::optional<KvPages> pages = pool.take(small_pages);
  if (!pages) return;
  const Room room = *queue_.begin();
  queue_.erase(queue_.begin());
  running_[room] = {*pages, 0};
  senders->began(room, *pages);
}

void SmallPrefill::compute_one() {
  for (auto& [room, running] : running_) {
    if (running.layer > small_layout.layers) continue;  // in flight
    ++steps;
    if (running.layer == small_layout.layers) {
      ++running.layer;
      return senders->finished(room, 5, std::nullopt);
    }
    write(running.pages, running.layer, room);
    return senders->layer_complete(room, running.layer++, small_tokens);
  }
}

void SmallPrefill::write(const KvPages& pages, std::uint32_t layer, Room room) {
  for (const PageId page : pages)
    std::memset(region->pages() + small_layout.offset(layer, page), mark_of(room), small_layout.page_bytes());
}

std::optional<std::string> SmallPrefill::wrong() const {
  PagePool::Owners owners{{}, senders->pins(), senders->holds()};
  for (const auto& [room, running] : running_) owners.sequences.emplace_back(running.pages);
  return pool.check(owners);
}

void SmallPrefill::let_go(Room room) {
  queue_.erase(room);
  const auto running = running_.find(room);
  if (running == running_.end()) return;
  pool.release(running->second.pages);
  running_.erase(running);
}

}  // namespace pd
