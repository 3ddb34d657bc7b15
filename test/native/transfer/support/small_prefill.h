#pragma once
// A prefill engine in small: the shipped senders over a real pool. Its "rows" are bytes that name the room.

#include <map>
#include <set>

#include "transfer/senders.h"
#include "transfer/support/manual_clock.h"

namespace pd {

constexpr KvLayout small_layout{.layers = 2, .kv_heads = 1, .head_dim = 2, .pages = 12};
constexpr std::uint32_t small_tokens = 20, small_pages = 2;
constexpr Deadlines small_deadlines{
    .bootstrap = 20 * nanos_per_second, .waiting = 20 * nanos_per_second, .inflight = 20 * nanos_per_second};
Digest prompt_of(Room room);
std::uint8_t mark_of(Room room);

class SmallPrefill final : public SenderHost {
 public:
  SmallPrefill(Incarnation incarnation, const ManualClock& clock, Faults& faults);

  void add(Room room);
  void begin_one();    // when there are pages
  void compute_one();  // a layer, or the end
  std::optional<std::string> wrong() const;
  bool idle() const { return senders->live() == 0 && pool.pages_free() == pool.pages_total(); }

  void on_reserved(Room room) override { queue_.insert(room); }
  void on_success(Room room) override { let_go(room); }
  void on_failed(Room room, const Failure&) override { let_go(room); }
  void on_safe(Room) override {}

  const Incarnation incarnation;
  std::unique_ptr<Region> region;
  PagePool pool;
  std::unique_ptr<Ranks> ranks = solo_rank();
  std::unique_ptr<Senders> senders;
  std::uint64_t steps = 0;

 private:
  struct Running {
    KvPages pages;
    std::uint32_t layer = 0;
  };
  void let_go(Room room);
  void write(const KvPages& pages, std::uint32_t layer, Room room);

  std::set<Room> queue_;
  std::map<Room, Running> running_;
};

}  // namespace pd
