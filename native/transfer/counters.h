#pragma once
#include <cstdint>

namespace pd {

// Things that are right to ignore, and worth knowing.
struct TransferCounters {
  std::uint64_t frames_stale = 0;  // of an unknown or old key
  std::uint64_t ack_lost = 0;      // decode: prefill failed it after our commit; the request runs on
};

}  // namespace pd
