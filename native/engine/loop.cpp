#include "engine/loop.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "engine/growth.h"
#include "engine/steady_clock.h"
#include "scheduler/scheduler.h"

namespace pd {
namespace {

constexpr Nanos farewell_limit = 2 * nanos_per_second;

// Compute yields to deadlines, HTTP and the watchdog. On Linux the priority is the thread's own.
void be_nice() { setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 5); }

}  // namespace

Loop::Loop(LoopParts parts)
    : parts_(std::move(parts)),
      runner_({.runner = parts_.runner,
               .tokenizer = parts_.tokenizer,
               .pool = parts_.pool,
               .clock = parts_.clock,
               .lifecycle = parts_.lifecycle,
               .side = parts_.side,
               .attend =
                   [this] {
                     admit();
                     advance_transfers();
                     reporter_.report_when_due(steps_);
                   },
               .stopping = [this] { return stopping_.load(); }}),
      reporter_({.clock = parts_.clock,
                 .recorder = parts_.recorder,
                 .board = parts_.board,
                 .pool = parts_.pool,
                 .admission = parts_.admission,
                 .lifecycle = parts_.lifecycle,
                 .side = parts_.side}) {}

void Loop::start() {
  reporter_.report(steps_);
  thread_ = std::thread([this] { run(); });
}

void Loop::stop() {
  parts_.admission.close();
  stopping_ = true;
  parts_.runner.abort();
  parts_.wake.call();
  const std::lock_guard lock(stop_mutex_);
  if (thread_.joinable()) thread_.join();
}

void Loop::run() {
  be_nice();
  while (!stopping_) step();
  shut_down();
}

void Loop::step() {
  admit();
  advance_transfers();
  parts_.lifecycle.sweep();
  fill_rows();
  const std::optional<Batch> batch = next_batch();
  if (batch) runner_.run(*batch);
  publish();
  if (!batch) return wait_for_work();
  ++steps_;
}

void Loop::admit() {
  parts_.wake.turn();
  for (Message& message : parts_.inbox.take()) std::visit([this](auto& what) { take(what); }, message);
}

void Loop::take(SubmitMessage& message) {
  Sequence& sequence = parts_.lifecycle.begin(std::move(message.request), parts_.side.first_stage());
  parts_.side.admit(sequence);
}

void Loop::take(AbortMessage& message) {
  Sequence* sequence = parts_.lifecycle.sequences().find_id(message.id);
  if (sequence != nullptr && !sequence->ending) parts_.side.abort(*sequence, message.why);
}

void Loop::take(FinishMessage& message) {
  Sequence* sequence = parts_.lifecycle.sequences().find_id(message.id);
  if (sequence == nullptr || sequence->ending) return;
  // Pages that a transfer still uses, or an answer that has not begun, take the longer way out.
  if (sequence->lent || sequence->entry.record.output_tokens == 0)
    parts_.side.abort(*sequence, Failure{FailureCode::aborted, "nobody wants the answer any more"});
  else
    parts_.lifecycle.end(*sequence, FinishReason::stop);
}

void Loop::take(AbortRoomMessage& message) { parts_.side.abort_unknown(message.room, message.why); }

void Loop::advance_transfers() { parts_.side.advance(steps_); }

void Loop::fill_rows() {
  Queues& queues = parts_.lifecycle.queues();
  while (!queues.ready.empty() && queues.rows.size() < parts_.options.sequences_max) {
    Sequence& sequence = *queues.ready.front();
    queues.ready.pop_front();
    parts_.lifecycle.enter(sequence, Stage::running);
    queues.add_row(sequence);
  }
}

std::optional<Batch> Loop::next_batch() {
  const Queues& queues = parts_.lifecycle.queues();
  std::vector<PromptLoad> prompts;
  for (const Sequence* sequence : queues.prompts)
    prompts.push_back({.number = sequence->number,
                       .rows_computed = sequence->rows,
                       .rows_total = sequence->prompt_tokens(),
                       .has_pages = !sequence->pages.empty()});
  std::vector<RowLoad> rows;
  for (const Sequence* sequence : queues.rows)
    rows.push_back({.number = sequence->number,
                    .rows = sequence->rows,
                    .pages = static_cast<std::uint32_t>(sequence->pages.size())});
  const auto places = parts_.options.sequences_max - std::min<std::size_t>(rows.size(), parts_.options.sequences_max);
  return pd::next_batch({.prompts = prompts,
                         .rows = rows,
                         .pages_free = parts_.pool.pages_free(),
                         .pages_kept = pages_kept(parts_.pool.pages_total()),
                         .prompts_max = static_cast<std::uint32_t>(places),
                         .token_cost = runner_.token_cost()});
}

void Loop::publish() {
  reporter_.report(steps_);
  std::vector<Event> events = parts_.lifecycle.take_events();
  if (!events.empty()) parts_.on_step(std::move(events));
}

void Loop::wait_for_work() {
  reporter_.audit();
  Nanos limit = std::min(parts_.side.next_deadline(), reporter_.next_audit());
  // Records of live transfers are posted again while nothing else happens.
  if (!parts_.lifecycle.sequences().empty()) limit = std::min(limit, parts_.clock.now() + nanos_per_second);
  parts_.wake.sleep_until(limit);
}

void Loop::shut_down() {
  const Failure why{FailureCode::shutdown, "the engine was stopped; ask another one"};
  admit();
  parts_.lifecycle.sequences().each([&](Sequence& sequence) {
    parts_.side.abort(sequence, why);
    parts_.lifecycle.end(sequence, why);
  });
  parts_.lifecycle.sweep();
  publish();
  const Nanos limit = parts_.clock.now() + farewell_limit;
  do {
    parts_.wake.turn();
    advance_transfers();
    parts_.lifecycle.sweep();
    parts_.wake.sleep_until(std::min(limit, parts_.clock.now() + 10 * nanos_per_ms));
  } while (!parts_.side.at_rest() && parts_.clock.now() < limit);
  publish();
  parts_.side.close();
}

}  // namespace pd
