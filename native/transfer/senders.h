#pragma once
// The prefill side of every transfer: one KV sender a room. The only writer of their states. It pins
// the pages that it is given, and unpins or holds them; `safe` is when nobody reads them any more.
// Loop thread only.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/failure.h"
#include "core/faults.h"
#include "core/transfer_state.h"
#include "kv/page_pool.h"
#include "transfer/clock.h"
#include "transfer/counters.h"
#include "transfer/deadlines.h"
#include "transfer/peer.h"
#include "transfer/ranks.h"

namespace pd {

// What the engine is told. Each at most once a room, except that `failed` may come instead of any later one.
class SenderHost {
 public:
  virtual ~SenderHost() = default;
  virtual void on_reserved(Room room) = 0;  // its decode side has pages: put it in the queue
  virtual void on_success(Room room) = 0;   // committed by decode
  virtual void on_failed(Room room, const Failure& failure) = 0;
  virtual void on_safe(Room room) = 0;  // after success or failure: its pages are nobody's
};

struct SenderView {  // one row of /v1/requests
  TransferState state = TransferState::bootstrapping;
  PrefillStage stage = PrefillStage::bootstrap;
  std::string peer;
  std::uint64_t rows_sent = 0;  // rows announced, summed over layers
  std::optional<Nanos> presented, credited, reserved, began, finished, committed, ended;  // monotonic times
  const char* deadline = nullptr;  // the one that fires next, and when; none: no limit applies now
  Nanos deadline_at = 0;
};

struct SenderParts {
  SenderHost& host;
  PagePool& pool;
  const Clock& clock;
  Faults& faults;
  Ranks& ranks;
  Deadlines deadlines;
  Incarnation incarnation;  // ours
  std::uint32_t layers;
};

class Senders {
 public:
  static std::unique_ptr<Senders> create(const SenderParts& parts);
  virtual ~Senders() = default;

  // A request has arrived. A live duplicate or a room with a tombstone is refused with words.
  [[nodiscard]] virtual std::optional<Failure> add(Room room, const Digest& prompt_hash,
                                                   std::uint32_t prompt_tokens) = 0;
  virtual void began(Room room, std::span<const PageId> pages) = 0;  // its first chunk is about to run
  virtual void layer_complete(Room room, std::uint32_t layer, std::uint32_t rows) = 0;  // rows 0..rows are final
  virtual void finished(Room room, TokenId first_token, std::optional<FinishReason> reason) = 0;  // the inflight append
  virtual void abort(Room room, const Failure& why) = 0;  // unknown room: leaves a tombstone

  virtual void connected(Peer& peer) = 0;
  virtual void received(Peer& peer, const Frame& frame) = 0;
  virtual void closed(Peer& peer, const std::string& why) = 0;  // the peer is not used after this
  virtual void process_gone(Incarnation decode) = 0;            // proof that it reads nothing any more

  // Every loop iteration: deadlines, ranks, then act; progress once a second. Until then the host is told nothing.
  virtual void advance(std::uint64_t steps) = 0;
  virtual Nanos next_deadline() const = 0;  // when advance() is needed at the latest

  virtual std::optional<SenderView> view(Room room) const = 0;
  virtual std::size_t live() const = 0;  // not terminal
  virtual TransferCounters counters() const = 0;
  virtual std::vector<std::span<const PageId>> pins() const = 0;  // for PagePool::check
  virtual std::vector<std::span<const PageId>> holds() const = 0;
};

}  // namespace pd
