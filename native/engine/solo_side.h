#pragma once
// Role both: prompts wait only for a batch, and generate where they were computed.

#include "engine/lifecycle.h"
#include "engine/side.h"
#include "transfer/clock.h"

namespace pd {

class SoloSide final : public Side {
 public:
  // queue_limit: longest wait for a batch; 0 has no limit.
  SoloSide(Lifecycle& lifecycle, const Clock& clock, Nanos queue_limit);

  Stage first_stage() const override { return Stage::waiting; }
  void admit(Sequence& sequence) override;
  void abort(Sequence& sequence, const Failure& why) override;
  void abort_unknown(Room, const Failure&) override {}

  void prompt_begins(Sequence&) override {}
  void layer_complete(Sequence&, std::uint32_t, std::uint32_t) override {}
  void prompt_computed(Sequence& sequence, TokenId first_token, std::optional<FinishReason> reason) override;

  void advance(std::uint64_t steps) override;
  Nanos next_deadline() const override;
  bool at_rest() const override { return true; }
  void close() override {}

  void refresh(Sequence& sequence) const override;
  void describe(EngineState&) const override {}
  void add_owners(PagePool::Owners&) const override {}
  std::uint16_t bootstrap_port() const override { return 0; }

 private:
  const Sequence* first_in_queue() const;  // the one that waits longest for its first chunk

  Lifecycle& lifecycle_;
  const Clock& clock_;
  const Nanos queue_limit_;
};

}  // namespace pd
