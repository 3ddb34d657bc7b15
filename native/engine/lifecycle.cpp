#include "engine/lifecycle.h"

#include "core/check.h"
#include "engine/stages.h"
#include "engine/steady_clock.h"

namespace pd {

Lifecycle::Lifecycle(const Clock& clock, PagePool& pool, Admission& admission, FlightRecorder& recorder)
    : clock_(clock), pool_(pool), admission_(admission), recorder_(recorder) {}

Sequence& Lifecycle::begin(Request request, Stage first) {
  Sequence& sequence = sequences_.add(std::move(request));
  sequence.entry = entry_of(sequence.number, first, clock_.now(), unix_now_ms());
  RequestRecord& record = sequence.entry.record;
  record.id = sequence.request.id;
  record.room = sequence.room();
  record.prompt_tokens = sequence.prompt_tokens();
  record.tokens_max = sequence.request.tokens_max;
  if (sequence.request.bootstrap) record.state = TransferState::bootstrapping;
  ++state_.requests_total;
  ++*count_of(state_.queues, first);
  return sequence;
}

void Lifecycle::enter(Sequence& sequence, Stage stage) {
  const Stage before = sequence.entry.record.stage;
  PD_CHECK(may_follow(before, stage), "a request went to a stage that may not follow its own");
  if (before == Stage::inflight) inflight_.erase({sequence.entry.stage_began, sequence.number});
  --*count_of(state_.queues, before);
  sequence.entry.enter(stage, clock_.now());
  if (std::uint32_t* count = count_of(state_.queues, stage)) ++*count;
  if (stage == Stage::inflight) inflight_.emplace(sequence.entry.stage_began, sequence.number);
  sequence.changed = true;
}

void Lifecycle::committed(Sequence& sequence) { events_.push_back(event_of(sequence, Event::Kind::committed)); }

void Lifecycle::token(Sequence& sequence, TokenId token, std::optional<FinishReason> reason) {
  sequence.last_token = token;
  if (reason == FinishReason::stop) return;
  RequestRecord& record = sequence.entry.record;
  if (!record.first_token_unix_ms) record.first_token_unix_ms = sequence.entry.unix_ms(clock_.now());
  ++record.output_tokens;
  sequence.changed = true;
  Event event = event_of(sequence, Event::Kind::token);
  event.token = token;
  events_.push_back(std::move(event));
}

void Lifecycle::end(Sequence& sequence, Ending ending) {
  if (sequence.ending) return;
  sequence.ending = std::move(ending);
  ended_.push_back(sequence.number);
}

void Lifecycle::sweep() {
  for (const SequenceNumber number : std::exchange(ended_, {})) {
    Sequence* sequence = sequences_.find(number);
    PD_CHECK(sequence != nullptr, "a request ended twice");
    carry_out(*sequence);
  }
}

void Lifecycle::carry_out(Sequence& sequence) {
  RequestRecord& record = sequence.entry.record;
  const Stage last = record.stage;
  queues_.remove(sequence);
  pool_.release(sequence.pages);
  const std::uint32_t pages = std::exchange(record.pages, 0);

  if (const FinishReason* reason = std::get_if<FinishReason>(&*sequence.ending)) {
    enter(sequence, Stage::finished);
    ++state_.finished_total;
    Event event = event_of(sequence, Event::Kind::finished);
    event.reason = *reason;
    event.prompt_tokens = record.prompt_tokens;
    event.output_tokens = record.output_tokens;
    events_.push_back(std::move(event));
  } else {
    record.failure = std::get<Failure>(*sequence.ending);
    if (sequence.lent) record.pages_held = pages;
    if (record.state && *record.state != TransferState::success) record.state = TransferState::failed;
    enter(sequence, Stage::failed);
    count_failure(last, record);
    Event event = event_of(sequence, Event::Kind::failed);
    event.failure = *record.failure;
    events_.push_back(std::move(event));
  }
  state_.transfer_bytes_total += record.bytes_done;
  recorder_.update(sequence.entry);
  admission_.leave(sequence.request);
  sequences_.erase(sequence);
}

void Lifecycle::count_failure(Stage stage, const RequestRecord& record) {
  ++state_.failed_total;
  if (record.failure->code == FailureCode::aborted) {
    ++state_.aborted_total;
    return;
  }
  if (stage == Stage::bootstrap || stage == Stage::prealloc) ++state_.bootstrap_failed_total;
  // On prefill rows move while the prompt still runs.
  const bool moved = stage == Stage::running && record.state == TransferState::failed;
  if (moved || stage == Stage::inflight || stage == Stage::transfer) ++state_.transfer_failed_total;
}

Event Lifecycle::event_of(const Sequence& sequence, Event::Kind kind) const {
  Event event;
  event.id = sequence.request.id;
  event.kind = kind;
  return event;
}

std::optional<Nanos> Lifecycle::inflight_oldest() const {
  if (inflight_.empty()) return std::nullopt;
  return inflight_.begin()->first;
}

}  // namespace pd
