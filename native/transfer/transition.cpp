#include "transfer/transition.h"

#include <cstdio>

namespace pd {

const char* name_of(DeadlineKind kind) {
  switch (kind) {
    case DeadlineKind::bootstrap: return "bootstrap";
    case DeadlineKind::waiting: return "waiting";
    case DeadlineKind::inflight: return "inflight";
    case DeadlineKind::queue: return "queue";
  }
  return "";
}

FailureCode failure_of(DeadlineKind kind) {
  switch (kind) {
    case DeadlineKind::bootstrap: return FailureCode::bootstrap_timeout;
    case DeadlineKind::waiting: return FailureCode::waiting_timeout;
    case DeadlineKind::inflight: return FailureCode::inflight_timeout;
    case DeadlineKind::queue: return FailureCode::queue_timeout;
  }
  return FailureCode::aborted;
}

std::string seconds(Nanos duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(duration) / nanos_per_second);
  return text;
}

Failure peer_failure(const std::string& peer, const Failed& said) {
  if (said.code == FailureCode::aborted) return {FailureCode::aborted, said.why};
  return {FailureCode::peer_failed, peer + " failed it: " + name_of(said.code) + ": " + said.why};
}

}  // namespace pd
