#include "engine/links.h"

namespace pd {

std::vector<NetworkEvent> Links::poll() {
  std::vector<NetworkEvent> events = network_->poll();
  for (const NetworkEvent& event : events) {
    if (const LinkOpened* opened = std::get_if<LinkOpened>(&event)) open_.emplace(opened->peer.get(), opened->peer);
    if (const LinkClosed* closed = std::get_if<LinkClosed>(&event)) open_.erase(closed->peer.get());
  }
  return events;
}

void Links::describe(EngineState& state, const TransferCounters& transfers) const {
  const NetworkCounters counters = network_->counters();
  state.links = static_cast<std::uint32_t>(open_.size());
  state.frames_hostile_total = counters.frames_hostile;
  state.frames_stale_total = counters.frames_stale + transfers.frames_stale;
  state.ack_lost_total = transfers.ack_lost;
  state.handshakes_refused_total = counters.handshakes_refused;
}

}  // namespace pd
