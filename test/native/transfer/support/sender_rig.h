#pragma once
// Senders with a real page pool, a clock that stands still and a decode engine that writes down.

#include "transfer/senders.h"
#include "transfer/support/log.h"
#include "transfer/support/manual_clock.h"
#include "transfer/support/recording_peer.h"

namespace pd {

class SenderRig : public SenderHost {
 public:
  static constexpr Incarnation prefill = 11, decode = 22, other_decode = 33;
  static constexpr std::uint32_t tokens = 20, layers = 2;
  static constexpr KvLayout layout{.layers = layers, .kv_heads = 1, .head_dim = 2, .pages = 8};

  SenderRig();
  Key key(Room room = 7) const { return {room, prefill, decode}; }
  void hear(const Frame& frame) { senders->received(peer, frame); }
  void turn(std::uint64_t steps = 0) { senders->advance(steps); }
  void take_pages() { pages = *pool.take(2); }
  // To a given stage: what happened on the way is not logged.
  void to_presented();
  void to_waiting();
  void to_running();
  void to_inflight();
  std::string pages_now() const;  // "live 2 held 0"
  std::optional<std::string> wrong() const;

  void on_reserved(Room) override { log.add("reserved!"); }
  void on_success(Room) override { release("success!"); }
  void on_failed(Room, const Failure& failure) override {
    release(std::string("failed!") + name_of(failure.code));
    words = failure.words;
  }
  void on_safe(Room) override { log.add("safe!"); }

  Log log;
  std::string words;
  Digest hash{1};
  ManualClock clock;
  Faults faults;
  std::unique_ptr<Region> region = Region::create(layout, hash, prefill);
  PagePool pool{*region, PageOrder::contiguous};
  std::unique_ptr<Ranks> ranks = solo_rank();
  Deadlines deadlines{
      .bootstrap = 2 * nanos_per_second, .waiting = 3 * nanos_per_second, .inflight = 4 * nanos_per_second};
  RecordingPeer peer{decode, "decode:1", log}, peer_again{decode, "decode:2", log},
      other{other_decode, "decode:3", log};
  KvPages pages;
  std::unique_ptr<Senders> senders;

 private:
  // The engine lets go of a request that has ended.
  void release(const std::string& what);
};

}  // namespace pd
