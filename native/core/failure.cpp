#include "core/failure.h"

#include "core/check.h"

namespace pd {

const char* name_of(FailureCode code) {
  switch (code) {
    case FailureCode::aborted: return "aborted";
    case FailureCode::bootstrap_timeout: return "bootstrap-timeout";
    case FailureCode::waiting_timeout: return "waiting-timeout";
    case FailureCode::inflight_timeout: return "inflight-timeout";
    case FailureCode::peer_lost: return "peer-lost";
    case FailureCode::peer_failed: return "peer-failed";
    case FailureCode::peer_refused: return "peer-refused";
    case FailureCode::kv_corruption: return "kv-corruption";
    case FailureCode::prompt_mismatch: return "prompt-mismatch";
    case FailureCode::duplicate_room: return "duplicate-room";
    case FailureCode::too_long: return "too-long";
    case FailureCode::queue_full: return "queue-full";
    case FailureCode::queue_timeout: return "queue-timeout";
    case FailureCode::pool_exhausted: return "pool-exhausted";
    case FailureCode::draining: return "draining";
    case FailureCode::shutdown: return "shutdown";
  }
  PD_CHECK(false, "a failure code is one of the enum");
}

}  // namespace pd
