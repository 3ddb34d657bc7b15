#include "engine/decode_side.h"

#include "engine/answer.h"
#include "engine/growth.h"
#include "engine/network_options.h"
#include "transfer/ranks.h"

namespace pd {
namespace {

// Of the answer, when a request reserves: the rest comes page by page.
constexpr std::uint32_t answer_tokens_reserved = 64;

std::unique_ptr<Network> connect(const SideParts& parts, ShmBackend& backend) {
  const Network::Regions regions{
      .own = parts.region,
      .on_region = [&backend](Incarnation prefill,
                              std::unique_ptr<const Region> region) { backend.attach(prefill, std::move(region)); },
      .on_region_lost = [&backend](Incarnation prefill) { backend.detach(prefill); }};
  return Network::start(network_options(parts), regions, [&wake = parts.wake] { wake.call(); });
}

}  // namespace

DecodeSide::DecodeSide(const SideParts& parts)
    : parts_(parts),
      backend_(ShmBackend::create(parts.region, parts.faults, [&wake = parts.wake] { wake.call(); })),
      links_(connect(parts, *backend_)),
      ranks_(solo_rank()),
      receivers_(Receivers::create({.host = *this,
                                    .pool = parts.pool,
                                    .backend = *backend_,
                                    .clock = parts.clock,
                                    .faults = parts.faults,
                                    .ranks = *ranks_,
                                    .deadlines = deadlines_of(parts.options),
                                    .incarnation = parts.incarnation,
                                    .layout = parts.region.layout()})) {}

void DecodeSide::admit(Sequence& sequence) {
  sequence.entry.record.bytes_total = kv_bytes(parts_.region.layout(), sequence.prompt_tokens());
  const std::optional<Failure> refused =
      receivers_->add(*sequence.request.bootstrap, hash_of(sequence.request.prompt), sequence.prompt_tokens());
  if (refused) parts_.lifecycle.end(sequence, *refused);
}

void DecodeSide::abort(Sequence& sequence, const Failure& why) {
  // After the commit the transfer is history, and the answer is ours alone.
  if (sequence.entry.record.state == TransferState::success)
    parts_.lifecycle.end(sequence, why);
  else
    receivers_->abort(sequence.room(), why);
}

void DecodeSide::abort_unknown(Room room, const Failure& why) { receivers_->abort(room, why); }

void DecodeSide::advance(std::uint64_t) {
  for (const NetworkEvent& event : links_.poll()) std::visit([this](const auto& what) { heard(what); }, event);
  receivers_->advance();
  reserve_pages();
}

void DecodeSide::heard(const LinkOpened& event) { receivers_->connected(*event.peer, event.host, event.port); }
void DecodeSide::heard(const LinkFrame& event) { receivers_->received(*event.peer, event.frame); }
void DecodeSide::heard(const LinkClosed& event) { receivers_->closed(*event.peer, event.why); }
void DecodeSide::heard(const LinkRefused& event) { receivers_->unreachable(event.host, event.port, event.why); }

void DecodeSide::want_connection(const std::string& host, std::uint16_t port) { links_.dial(host, port); }

void DecodeSide::reserve_pages() {
  while (!unreserved_.empty()) {
    Sequence* sequence = parts_.lifecycle.sequences().find(unreserved_.front());
    const bool live = sequence != nullptr && !sequence->ending;
    if (live && !reserve_for(*sequence)) return;  // nobody overtakes
    unreserved_.pop_front();
  }
}

bool DecodeSide::reserve_for(Sequence& sequence) {
  PagePool& pool = parts_.pool;
  if (too_many_held(pool)) {
    receivers_->abort(sequence.room(), held_failure(pool));
    return true;
  }
  const std::uint32_t answer = std::min(sequence.request.tokens_max, answer_tokens_reserved);
  const std::uint32_t count = pages_for(sequence.prompt_tokens() + answer);
  const std::uint32_t kept = pool.pages_live() == 0 ? 0 : pages_kept(pool.pages_total());
  if (count + kept > pool.pages_free()) return false;
  std::optional<KvPages> pages = pool.take(count);
  if (!pages) return false;
  sequence.pages = std::move(*pages);
  sequence.lent = true;
  sequence.entry.record.pages = count;
  parts_.region.populate(sequence.pages);
  parts_.lifecycle.enter(sequence, Stage::transfer);
  receivers_->reserve(sequence.room(), sequence.pages);
  return true;
}

Nanos DecodeSide::next_deadline() const { return receivers_->next_deadline(); }

// Also free of pages that the copy thread still has: prefill waits for the word that it has not.
bool DecodeSide::at_rest() const {
  return receivers_->live() == 0 && receivers_->pins().empty() && receivers_->holds().empty();
}

void DecodeSide::refresh(Sequence& sequence) const {
  const std::optional<ReceiverView> view = receivers_->view(sequence.room());
  if (!view) return;
  Entry& entry = sequence.entry;
  RequestRecord& record = entry.record;
  record.state = view->state;
  record.peer = view->peer;
  record.bytes_done = view->bytes_done;
  record.deadline = view->deadline == nullptr ? "" : view->deadline;
  entry.deadline_at = view->deadline_at;
  if (view->first_ready) record.transfer_began_unix_ms = entry.unix_ms(*view->first_ready);
  if (view->committed) record.transfer_ended_unix_ms = entry.unix_ms(*view->committed);
  sequence.changed = true;
}

void DecodeSide::describe(EngineState& state) const { links_.describe(state, receivers_->counters()); }

void DecodeSide::add_owners(PagePool::Owners& owners) const {
  owners.pins = receivers_->pins();
  owners.holds = receivers_->holds();
}

void DecodeSide::on_credit(Room room) {
  if (const Sequence* sequence = parts_.lifecycle.sequences().find_room(room)) unreserved_.push_back(sequence->number);
}

void DecodeSide::on_commit(Room room, const CommitInfo& info) {
  Sequence* sequence = parts_.lifecycle.sequences().find_room(room);
  if (sequence == nullptr || sequence->ending) return;
  refresh(*sequence);
  sequence->entry.record.state = TransferState::success;
  sequence->entry.record.deadline.clear();
  sequence->rows = sequence->prompt_tokens();
  sequence->entry.record.rows_computed = sequence->rows;
  ++parts_.lifecycle.state().transfers_completed_total;
  parts_.lifecycle.committed(*sequence);

  // Both sides judge by the same rule; prefill's word counts where they were asked differently.
  const std::optional<FinishReason> ours = ending_of(sequence->request, 0, false);
  const std::optional<FinishReason> reason = info.finish_reason ? info.finish_reason : ours;
  parts_.lifecycle.token(*sequence, info.first_token, reason);
  if (reason) return parts_.lifecycle.end(*sequence, *reason);
  parts_.lifecycle.enter(*sequence, Stage::waiting);
  parts_.lifecycle.queues().ready.push_back(sequence);
}

void DecodeSide::on_failed(Room room, const Failure& failure) {
  Sequence* sequence = parts_.lifecycle.sequences().find_room(room);
  if (sequence == nullptr || sequence->ending) return;
  refresh(*sequence);
  parts_.lifecycle.end(*sequence, failure);
}

void DecodeSide::on_safe(Room room) {
  if (Sequence* sequence = parts_.lifecycle.sequences().find_room(room)) sequence->lent = false;
  parts_.recorder.pages_safe(room);
}

}  // namespace pd
