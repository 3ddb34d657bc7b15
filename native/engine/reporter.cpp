#include "engine/reporter.h"

namespace pd {
namespace {

constexpr Nanos report_period = 50 * nanos_per_ms;
constexpr Nanos audit_period = nanos_per_second;

}  // namespace

bool Reporter::due() const { return parts_.clock.now() - reported_ >= report_period; }

void Reporter::report(std::uint64_t steps) {
  post_records(due());
  post_state(steps);
}

void Reporter::report_when_due(std::uint64_t steps) {
  if (due()) report(steps);
}

// A transfer moves without a step of ours, so now and then its part of each record is asked for.
void Reporter::post_records(bool all) {
  if (all) reported_ = parts_.clock.now();
  parts_.lifecycle.sequences().each([&](Sequence& sequence) {
    if (all) parts_.side.refresh(sequence);
    if (!all && !sequence.changed) return;
    parts_.recorder.update(sequence.entry);
    sequence.changed = false;
  });
}

void Reporter::post_state(std::uint64_t steps) {
  const PagePool& pool = parts_.pool;
  EngineState& state = parts_.lifecycle.state();
  const bool same = state.pages_free == pool.pages_free() && state.pages_held == pool.pages_held();
  pages_moved_ = pages_moved_ || !same || state.steps != steps;
  state.steps = steps;
  state.pages_total = pool.pages_total();
  state.pages_free = pool.pages_free();
  state.pages_live = pool.pages_live();
  state.pages_held = pool.pages_held();
  state.draining = parts_.admission.draining();
  parts_.side.describe(state);
  parts_.board.post({.state = state, .inflight_oldest = parts_.lifecycle.inflight_oldest()});
}

void Reporter::audit() {
  if (parts_.clock.now() < next_audit()) return;
  PagePool::Owners owners;
  parts_.side.add_owners(owners);
  parts_.lifecycle.sequences().each([&](const Sequence& sequence) { owners.sequences.emplace_back(sequence.pages); });
  EngineState& state = parts_.lifecycle.state();
  state.pages_wrong = parts_.pool.check(owners).value_or("");
  audited_ = parts_.clock.now();
  pages_moved_ = false;
  post_state(state.steps);
}

Nanos Reporter::next_audit() const { return pages_moved_ ? audited_ + audit_period : no_deadline; }

}  // namespace pd
