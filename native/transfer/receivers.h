#pragma once
// The decode side of every transfer: one KV receiver a room. Decode is the commit point: it commits when
// every layer has all rows, `final` has come after them, and both sides have read the same prompt.
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
#include "transfer/backend.h"
#include "transfer/clock.h"
#include "transfer/counters.h"
#include "transfer/deadlines.h"
#include "transfer/peer.h"
#include "transfer/ranks.h"

namespace pd {

struct CommitInfo {
  TokenId first_token = 0;
  std::optional<FinishReason> finish_reason;
};

class ReceiverHost {
 public:
  virtual ~ReceiverHost() = default;
  virtual void on_credit(Room room) = 0;  // take pages, when there are any, and call reserve()
  virtual void on_commit(Room room, const CommitInfo& info) = 0;
  virtual void on_failed(Room room, const Failure& failure) = 0;
  virtual void on_safe(Room room) = 0;  // after commit or failure: nothing writes into its pages any more
  // The connection for a room is wanted: the answer is connected() or unreachable(), later.
  virtual void want_connection(const std::string& host, std::uint16_t port) = 0;
};

struct ReceiverView {
  TransferState state = TransferState::bootstrapping;
  std::string peer;
  std::uint64_t rows_landed = 0;  // summed over layers
  std::uint64_t bytes_done = 0, bytes_total = 0;
  PrefillStage prefill_stage = PrefillStage::bootstrap;
  std::optional<Nanos> presented, credited, reserved, first_ready, prefill_finished, committed, ended;
  const char* deadline = nullptr;
  Nanos deadline_at = 0;
};

struct ReceiverParts {
  ReceiverHost& host;
  PagePool& pool;
  Backend& backend;
  const Clock& clock;
  Faults& faults;
  Ranks& ranks;
  Deadlines deadlines;
  Incarnation incarnation;
  KvLayout layout;
};

class Receivers {
 public:
  static std::unique_ptr<Receivers> create(const ReceiverParts& parts);
  virtual ~Receivers() = default;

  [[nodiscard]] virtual std::optional<Failure> add(const Bootstrap& where, const Digest& prompt_hash,
                                                   std::uint32_t prompt_tokens) = 0;
  virtual void reserve(Room room, std::span<const PageId> pages) = 0;  // pins them
  virtual void abort(Room room, const Failure& why) = 0;

  virtual void connected(Peer& peer, const std::string& host, std::uint16_t port) = 0;
  virtual void unreachable(const std::string& host, std::uint16_t port, const Failure& why) = 0;
  virtual void received(Peer& peer, const Frame& frame) = 0;
  virtual void closed(Peer& peer, const std::string& why) = 0;

  virtual void advance() = 0;  // evidence of the back end, deadlines, ranks, then act
  virtual Nanos next_deadline() const = 0;

  virtual std::optional<ReceiverView> view(Room room) const = 0;
  virtual std::size_t live() const = 0;
  virtual TransferCounters counters() const = 0;
  virtual std::vector<std::span<const PageId>> pins() const = 0;
  virtual std::vector<std::span<const PageId>> holds() const = 0;
};

}  // namespace pd
