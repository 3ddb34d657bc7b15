#include "engine/stages.h"

namespace pd {

bool may_follow(Stage before, Stage after) {
  const bool live = before != Stage::finished && before != Stage::failed;
  switch (after) {
    case Stage::bootstrap:
    case Stage::prealloc: return false;
    case Stage::transfer: return before == Stage::prealloc;
    case Stage::waiting: return before == Stage::bootstrap || before == Stage::transfer;
    case Stage::running: return before == Stage::waiting;
    case Stage::inflight: return before == Stage::running;
    case Stage::finished: return before == Stage::running || before == Stage::inflight || before == Stage::transfer;
    case Stage::failed: return live;
  }
  return false;
}

std::uint32_t* count_of(QueueCounts& queues, Stage stage) {
  switch (stage) {
    case Stage::bootstrap: return &queues.bootstrap;
    case Stage::prealloc: return &queues.prealloc;
    case Stage::waiting: return &queues.waiting;
    case Stage::running: return &queues.running;
    case Stage::inflight: return &queues.inflight;
    case Stage::transfer: return &queues.transfer;
    case Stage::finished:
    case Stage::failed: return nullptr;
  }
  return nullptr;
}

}  // namespace pd
