#include "engine/state_board.h"

#include <utility>

#include "engine/steady_clock.h"

namespace pd {

void StateBoard::post(StateNotice notice) {
  const std::lock_guard lock(mutex_);
  notice_ = std::move(notice);
}

EngineState StateBoard::read(Nanos now, Nanos loop_age) const {
  const std::lock_guard lock(mutex_);
  EngineState state = notice_.state;
  state.loop_age_ms = ms(loop_age);
  if (notice_.inflight_oldest) state.inflight_oldest_ms = ms(now - *notice_.inflight_oldest);
  return state;
}

}  // namespace pd
