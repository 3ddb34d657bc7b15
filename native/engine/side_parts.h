#pragma once
// What a side that transfers is made of.

#include "core/faults.h"
#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/wake.h"
#include "kv/page_pool.h"
#include "model/model.h"
#include "transfer/deadlines.h"

namespace pd {

struct SideParts {
  const EngineOptions& options;
  const Model& model;
  Region& region;
  PagePool& pool;
  const Clock& clock;
  Faults& faults;
  Wake& wake;
  Lifecycle& lifecycle;
  FlightRecorder& recorder;
  Incarnation incarnation;
};

inline Deadlines deadlines_of(const EngineOptions& options) {
  return {.bootstrap = options.deadline_bootstrap_ms * nanos_per_ms,
          .waiting = options.deadline_waiting_ms * nanos_per_ms,
          .inflight = options.deadline_inflight_ms * nanos_per_ms,
          .queue = options.deadline_queue_ms * nanos_per_ms};
}

}  // namespace pd
