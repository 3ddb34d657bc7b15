#pragma once
// Role prefill: a prompt may run once its decode side has reserved pages; when it is computed it is
// inflight, and its pages belong to the transfer alone, until decode commits.

#include <memory>

#include "engine/links.h"
#include "engine/side.h"
#include "engine/side_parts.h"
#include "transfer/senders.h"

namespace pd {

class PrefillSide final : public Side, private SenderHost {
 public:
  explicit PrefillSide(const SideParts& parts);  // throws std::system_error, e.g. when the port is in use

  Stage first_stage() const override { return Stage::bootstrap; }
  void admit(Sequence& sequence) override;
  void abort(Sequence& sequence, const Failure& why) override;
  void abort_unknown(Room room, const Failure& why) override;

  void prompt_begins(Sequence& sequence) override;
  void layer_complete(Sequence& sequence, std::uint32_t layer, std::uint32_t rows) override;
  void prompt_computed(Sequence& sequence, TokenId first_token, std::optional<FinishReason> reason) override;

  void advance(std::uint64_t steps) override;
  Nanos next_deadline() const override;
  bool at_rest() const override;
  void close() override { links_.close(); }

  void refresh(Sequence& sequence) const override;
  void describe(EngineState& state) const override;
  void add_owners(PagePool::Owners& owners) const override;
  std::uint16_t bootstrap_port() const override { return links_.port(); }

 private:
  void on_reserved(Room room) override;
  void on_success(Room room) override;
  void on_failed(Room room, const Failure& failure) override;
  void on_safe(Room room) override;

  void heard(const LinkOpened& event);
  void heard(const LinkFrame& event);
  void heard(const LinkClosed& event);
  void heard(const LinkRefused& event);
  void heard(const ProcessGone& event);

  SideParts parts_;
  Links links_;
  std::unique_ptr<Ranks> ranks_;
  std::unique_ptr<Senders> senders_;
};

}  // namespace pd
