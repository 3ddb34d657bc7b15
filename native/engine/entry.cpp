#include "engine/entry.h"

#include "engine/steady_clock.h"

namespace pd {

double Entry::unix_ms(Nanos at) const { return unix_offset_ms + ms(at); }

void Entry::enter(Stage stage, Nanos now) {
  if (!record.timeline.empty()) record.timeline.back().ended_unix_ms = unix_ms(now);
  record.timeline.push_back({.stage = stage, .began_unix_ms = unix_ms(now), .ended_unix_ms = std::nullopt});
  record.stage = stage;
  stage_began = now;
  if (stage != Stage::finished && stage != Stage::failed) return;
  record.timeline.back().ended_unix_ms = unix_ms(now);
  record.live = false;
  record.deadline.clear();
  ended = now;
}

RequestRecord Entry::at(Nanos now) const {
  RequestRecord copy = record;
  copy.age_ms = ms((ended == 0 ? now : ended) - arrived);
  copy.stage_age_ms = ms(now - stage_began);
  copy.deadline_in_ms = record.deadline.empty() ? 0 : ms(deadline_at - now);
  return copy;
}

Entry entry_of(SequenceNumber number, Stage stage, Nanos now, double unix_ms_now) {
  Entry entry;
  entry.number = number;
  entry.arrived = now;
  entry.unix_offset_ms = unix_ms_now - ms(now);
  entry.record.arrived_unix_ms = unix_ms_now;
  entry.enter(stage, now);
  return entry;
}

}  // namespace pd
