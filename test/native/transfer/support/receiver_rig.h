#pragma once
// Receivers with a real page pool, a clock that stands still, a copy worker on a script and a prefill
// engine that writes down.

#include "transfer/receivers.h"
#include "transfer/support/log.h"
#include "transfer/support/manual_clock.h"
#include "transfer/support/recording_peer.h"
#include "transfer/support/scripted_backend.h"

namespace pd {

class ReceiverRig : public ReceiverHost {
 public:
  static constexpr Incarnation prefill = 11, prefill_again = 12, decode = 22;
  static constexpr std::uint32_t tokens = 20, layers = 2;
  static constexpr KvLayout layout{.layers = layers, .kv_heads = 1, .head_dim = 2, .pages = 8};

  ReceiverRig();
  Key key(Room room = 7) const { return {room, prefill, decode}; }
  void add();
  void connect(RecordingPeer& to) { receivers->connected(to, "prefill", 1); }
  void hear(const Frame& frame) { receivers->received(peer, frame); }
  void turn() { receivers->advance(); }
  void land(std::uint32_t layer, std::uint32_t rows);
  void say(EvidenceKind kind, FailureCode code = FailureCode::kv_corruption);
  void final_word(std::optional<FinishReason> reason = std::nullopt) {
    hear(Final{key(), tokens, hash, 5, reason, {}});
  }
  void progress(std::uint64_t steps, PrefillStage stage, std::uint32_t rows) {
    hear(Progress{steps, {{key(), stage, rows, rows}}});
  }
  // To a given stage: what happened on the way is not logged.
  void to_presented();
  void to_reserved();
  void to_planned();
  void to_landed();  // all rows; no final word yet
  std::string pages_now() const;
  std::optional<std::string> wrong() const;

  void on_credit(Room room) override;
  void on_commit(Room, const CommitInfo& info) override { log.add("commit!" + std::to_string(info.first_token)); }
  void on_failed(Room, const Failure& failure) override;
  void on_safe(Room) override { log.add("safe!"); }
  void want_connection(const std::string& host, std::uint16_t port) override {
    log.add("dial(" + host + ":" + std::to_string(port) + ")");
  }

  Log log;
  std::string words;
  Digest hash{1};
  ManualClock clock;
  Faults faults;
  std::unique_ptr<Region> region = Region::create(layout, hash, decode);
  PagePool pool{*region, PageOrder::contiguous};
  ScriptedBackend backend{log};
  std::unique_ptr<Ranks> ranks = solo_rank();
  Deadlines deadlines{
      .bootstrap = 2 * nanos_per_second, .waiting = 3 * nanos_per_second, .inflight = 4 * nanos_per_second};
  RecordingPeer peer{prefill, "prefill:1", log}, peer_anew{prefill, "prefill:1", log},
      restarted{prefill_again, "prefill:1", log};
  bool pages_free = true;  // on_credit finds pages
  KvPages pages;
  std::unique_ptr<Receivers> receivers;
};

}  // namespace pd
