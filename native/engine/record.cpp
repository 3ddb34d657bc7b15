#include "engine/record.h"

namespace pd {

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::bootstrap: return "bootstrap";
    case Stage::prealloc: return "prealloc";
    case Stage::waiting: return "waiting";
    case Stage::running: return "running";
    case Stage::inflight: return "inflight";
    case Stage::transfer: return "transfer";
    case Stage::finished: return "finished";
    case Stage::failed: return "failed";
  }
  return "unknown";
}

}  // namespace pd
