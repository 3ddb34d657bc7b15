#pragma once
// Role decode: pages are reserved when prefill gives credit, first come first served, and a request that
// finds none waits unreserved. A committed request waits for a place among the rows and generates.

#include <deque>
#include <memory>

#include "engine/links.h"
#include "engine/side.h"
#include "engine/side_parts.h"
#include "transfer/backends/shm/shm_backend.h"
#include "transfer/receivers.h"

namespace pd {

class DecodeSide final : public Side, private ReceiverHost {
 public:
  explicit DecodeSide(const SideParts& parts);

  Stage first_stage() const override { return Stage::prealloc; }
  void admit(Sequence& sequence) override;
  void abort(Sequence& sequence, const Failure& why) override;
  void abort_unknown(Room room, const Failure& why) override;

  void prompt_begins(Sequence&) override {}
  void layer_complete(Sequence&, std::uint32_t, std::uint32_t) override {}
  void prompt_computed(Sequence&, TokenId, std::optional<FinishReason>) override {}

  void advance(std::uint64_t steps) override;
  Nanos next_deadline() const override;
  bool at_rest() const override;
  void close() override { links_.close(); }

  void refresh(Sequence& sequence) const override;
  void describe(EngineState& state) const override;
  void add_owners(PagePool::Owners& owners) const override;
  std::uint16_t bootstrap_port() const override { return 0; }

 private:
  void on_credit(Room room) override;
  void on_commit(Room room, const CommitInfo& info) override;
  void on_failed(Room room, const Failure& failure) override;
  void on_safe(Room room) override;
  void want_connection(const std::string& host, std::uint16_t port) override;

  void heard(const LinkOpened& event);
  void heard(const LinkFrame& event);
  void heard(const LinkClosed& event);
  void heard(const LinkRefused& event);
  void heard(const ProcessGone&) {}  // prefill never writes our memory

  void reserve_pages();
  bool reserve_for(Sequence& sequence);  // false: it waits

  SideParts parts_;
  std::unique_ptr<ShmBackend> backend_;
  Links links_;
  std::unique_ptr<Ranks> ranks_;
  std::unique_ptr<Receivers> receivers_;
  std::deque<SequenceNumber> unreserved_;  // have credit, in its order
};

}  // namespace pd
