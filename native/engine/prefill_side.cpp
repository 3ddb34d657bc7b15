#include "engine/prefill_side.h"

#include "engine/network_options.h"
#include "transfer/ranks.h"

namespace pd {
namespace {

std::unique_ptr<Network> listen(const SideParts& parts) {
  NetworkOptions options = network_options(parts);
  options.listens = true;
  const Network::Regions regions{.own = parts.region,
                                 .on_region = [](Incarnation, std::unique_ptr<const Region>) {},
                                 .on_region_lost = [](Incarnation) {}};
  return Network::start(options, regions, [&wake = parts.wake] { wake.call(); });
}

}  // namespace

PrefillSide::PrefillSide(const SideParts& parts)
    : parts_(parts),
      links_(listen(parts)),
      ranks_(solo_rank()),
      senders_(Senders::create({.host = *this,
                                .pool = parts.pool,
                                .clock = parts.clock,
                                .faults = parts.faults,
                                .ranks = *ranks_,
                                .deadlines = deadlines_of(parts.options),
                                .incarnation = parts.incarnation,
                                .layers = parts.region.layout().layers})) {}

void PrefillSide::admit(Sequence& sequence) {
  sequence.entry.record.bytes_total = kv_bytes(parts_.region.layout(), sequence.prompt_tokens());
  const std::optional<Failure> refused =
      senders_->add(sequence.room(), hash_of(sequence.request.prompt), sequence.prompt_tokens());
  if (refused) parts_.lifecycle.end(sequence, *refused);
}

void PrefillSide::abort(Sequence& sequence, const Failure& why) { senders_->abort(sequence.room(), why); }

void PrefillSide::abort_unknown(Room room, const Failure& why) { senders_->abort(room, why); }

void PrefillSide::prompt_begins(Sequence& sequence) {
  sequence.lent = true;
  senders_->began(sequence.room(), sequence.pages);
}

void PrefillSide::layer_complete(Sequence& sequence, std::uint32_t layer, std::uint32_t rows) {
  senders_->layer_complete(sequence.room(), layer, rows);
  if (!sequence.entry.record.transfer_began_unix_ms) refresh(sequence);
}

void PrefillSide::prompt_computed(Sequence& sequence, TokenId first_token, std::optional<FinishReason> reason) {
  parts_.lifecycle.queues().remove(sequence);
  parts_.lifecycle.enter(sequence, Stage::inflight);
  parts_.lifecycle.token(sequence, first_token, reason);
  sequence.reason = reason;
  senders_->finished(sequence.room(), first_token, reason);
  parts_.pool.release(sequence.pages);
  sequence.pages.clear();
}

void PrefillSide::advance(std::uint64_t steps) {
  for (const NetworkEvent& event : links_.poll()) std::visit([this](const auto& what) { heard(what); }, event);
  senders_->advance(steps);
}

void PrefillSide::heard(const LinkOpened& event) { senders_->connected(*event.peer); }
void PrefillSide::heard(const LinkFrame& event) { senders_->received(*event.peer, event.frame); }
void PrefillSide::heard(const LinkClosed& event) { senders_->closed(*event.peer, event.why); }
void PrefillSide::heard(const LinkRefused&) {}  // prefill dials nobody
void PrefillSide::heard(const ProcessGone& event) { senders_->process_gone(event.incarnation); }

Nanos PrefillSide::next_deadline() const { return senders_->next_deadline(); }

bool PrefillSide::at_rest() const { return senders_->live() == 0; }

void PrefillSide::refresh(Sequence& sequence) const {
  const std::optional<SenderView> view = senders_->view(sequence.room());
  if (!view) return;
  Entry& entry = sequence.entry;
  RequestRecord& record = entry.record;
  record.state = view->state;
  record.peer = view->peer;
  record.bytes_done = view->rows_sent * parts_.region.layout().token_bytes();
  record.deadline = view->deadline == nullptr ? "" : view->deadline;
  entry.deadline_at = view->deadline_at;
  if (view->rows_sent > 0 && !record.transfer_began_unix_ms)
    record.transfer_began_unix_ms = entry.unix_ms(parts_.clock.now());
  if (view->committed) record.transfer_ended_unix_ms = entry.unix_ms(*view->committed);
  sequence.changed = true;
}

void PrefillSide::describe(EngineState& state) const { links_.describe(state, senders_->counters()); }

void PrefillSide::add_owners(PagePool::Owners& owners) const {
  owners.pins = senders_->pins();
  owners.holds = senders_->holds();
}

void PrefillSide::on_reserved(Room room) {
  Sequence* sequence = parts_.lifecycle.sequences().find_room(room);
  if (sequence == nullptr || sequence->ending) return;
  parts_.lifecycle.enter(*sequence, Stage::waiting);
  parts_.lifecycle.queues().prompts.push_back(sequence);
}

void PrefillSide::on_success(Room room) {
  Sequence* sequence = parts_.lifecycle.sequences().find_room(room);
  if (sequence == nullptr || sequence->ending) return;
  refresh(*sequence);
  ++parts_.lifecycle.state().transfers_completed_total;
  // What prefill was asked for ends with its one token.
  parts_.lifecycle.end(*sequence, sequence->reason.value_or(FinishReason::length));
}

void PrefillSide::on_failed(Room room, const Failure& failure) {
  Sequence* sequence = parts_.lifecycle.sequences().find_room(room);
  if (sequence == nullptr || sequence->ending) return;
  refresh(*sequence);
  parts_.lifecycle.end(*sequence, failure);
}

void PrefillSide::on_safe(Room room) {
  if (Sequence* sequence = parts_.lifecycle.sequences().find_room(room)) sequence->lent = false;
  parts_.recorder.pages_safe(room);
}

}  // namespace pd
