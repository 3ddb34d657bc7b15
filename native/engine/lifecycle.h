#pragma once
// The only place where a request changes its stage, tells its client something, or ends. An end is
// decided once, by end(), from wherever it becomes known, and carried out by sweep() when no call is
// running over the sequence's pages. Loop thread only.

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/admission.h"
#include "engine/engine.h"
#include "engine/flight_recorder.h"
#include "engine/queues.h"
#include "engine/sequences.h"
#include "kv/page_pool.h"
#include "transfer/clock.h"

namespace pd {

class Lifecycle {
 public:
  Lifecycle(const Clock& clock, PagePool& pool, Admission& admission, FlightRecorder& recorder);
  Lifecycle(const Lifecycle&) = delete;
  Lifecycle& operator=(const Lifecycle&) = delete;

  Sequences& sequences() { return sequences_; }
  Queues& queues() { return queues_; }

  Sequence& begin(Request request, Stage first);
  void enter(Sequence& sequence, Stage stage);
  void committed(Sequence& sequence);
  // A token was drawn. `reason`: it ends the answer; with `stop` it is the end token and no text.
  void token(Sequence& sequence, TokenId token, std::optional<FinishReason> reason);
  void end(Sequence& sequence, Ending ending);  // the first one counts
  void sweep();

  std::vector<Event> take_events() { return std::exchange(events_, {}); }
  EngineState& state() { return state_; }        // counters and queues; the rest is the loop's
  std::optional<Nanos> inflight_oldest() const;  // since when

 private:
  void carry_out(Sequence& sequence);
  void count_failure(Stage stage, const RequestRecord& record);
  Event event_of(const Sequence& sequence, Event::Kind kind) const;

  const Clock& clock_;
  PagePool& pool_;
  Admission& admission_;
  FlightRecorder& recorder_;
  Sequences sequences_;
  Queues queues_;
  EngineState state_;
  std::set<std::pair<Nanos, SequenceNumber>> inflight_;
  std::vector<SequenceNumber> ended_;
  std::vector<Event> events_;
};

}  // namespace pd
