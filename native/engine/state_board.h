#pragma once
// The engine's state as of its last turn, for whoever asks. Readers wait for a copy, never for a step.

#include <mutex>
#include <optional>

#include "core/ids.h"
#include "engine/record.h"

namespace pd {

struct StateNotice {
  EngineState state;
  std::optional<Nanos> inflight_oldest;  // since when
};

class StateBoard {
 public:
  void post(StateNotice notice);
  EngineState read(Nanos now, Nanos loop_age) const;

 private:
  mutable std::mutex mutex_;
  StateNotice notice_;
};

}  // namespace pd
