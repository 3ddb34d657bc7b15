#pragma once
// A request's record together with the monotonic times from which its ages are computed when somebody asks.

#include <string>

#include "engine/record.h"
#include "scheduler/load.h"

namespace pd {

struct Entry {
  SequenceNumber number = 0;
  RequestRecord record;
  Nanos arrived = 0, stage_began = 0;
  Nanos deadline_at = 0;      // when record.deadline fires
  Nanos ended = 0;            // 0: live
  double unix_offset_ms = 0;  // wall clock − monotonic clock at arrival, so that one timeline never jumps

  double unix_ms(Nanos at) const;
  void enter(Stage stage, Nanos now);  // closes the stage before it
  RequestRecord at(Nanos now) const;   // with ages
};

// A new one, in its first stage.
Entry entry_of(SequenceNumber number, Stage stage, Nanos now, double unix_ms_now);

}  // namespace pd
