#include "engine/solo_side.h"

#include "engine/steady_clock.h"

namespace pd {

SoloSide::SoloSide(Lifecycle& lifecycle, const Clock& clock, Nanos queue_limit)
    : lifecycle_(lifecycle), clock_(clock), queue_limit_(queue_limit) {}

void SoloSide::admit(Sequence& sequence) { lifecycle_.queues().prompts.push_back(&sequence); }

void SoloSide::abort(Sequence& sequence, const Failure& why) { lifecycle_.end(sequence, why); }

void SoloSide::prompt_computed(Sequence& sequence, TokenId first_token, std::optional<FinishReason> reason) {
  lifecycle_.queues().remove(sequence);
  lifecycle_.queues().add_row(sequence);
  lifecycle_.token(sequence, first_token, reason);
  if (reason) lifecycle_.end(sequence, *reason);
}

void SoloSide::advance(std::uint64_t) {
  if (queue_limit_ == 0) return;
  const Nanos now = clock_.now();
  for (Sequence* sequence : lifecycle_.queues().prompts) {
    if (sequence->entry.record.stage != Stage::waiting) continue;
    if (now - sequence->entry.arrived < queue_limit_) return;
    lifecycle_.end(*sequence,
                   Failure{FailureCode::queue_timeout, "waited " + std::to_string(queue_limit_ / nanos_per_ms) +
                                                           " ms for a batch, which is the limit; try again later"});
  }
}

const Sequence* SoloSide::first_in_queue() const {
  for (const Sequence* sequence : lifecycle_.queues().prompts)
    if (sequence->entry.record.stage == Stage::waiting && !sequence->ending) return sequence;
  return nullptr;
}

Nanos SoloSide::next_deadline() const {
  const Sequence* first = queue_limit_ == 0 ? nullptr : first_in_queue();
  return first == nullptr ? no_deadline : first->entry.arrived + queue_limit_;
}

void SoloSide::refresh(Sequence& sequence) const {
  RequestRecord& record = sequence.entry.record;
  const bool waits = queue_limit_ != 0 && record.stage == Stage::waiting;
  record.deadline = waits ? "queue" : "";
  sequence.entry.deadline_at = waits ? sequence.entry.arrived + queue_limit_ : 0;
}

}  // namespace pd
