#pragma once
// Written by the network's thread, read by any.

#include <atomic>

#include "transfer/network.h"

namespace pd {

struct Counters {
  std::atomic<std::uint64_t> links_opened{0}, links_closed{0}, handshakes_refused{0}, frames_hostile{0},
      frames_stale{0};

  NetworkCounters read() const {
    return {.links_opened = links_opened,
            .links_closed = links_closed,
            .handshakes_refused = handshakes_refused,
            .frames_hostile = frames_hostile,
            .frames_stale = frames_stale};
  }
};

}  // namespace pd
