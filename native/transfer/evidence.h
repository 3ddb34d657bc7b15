#pragma once
// What workers and back ends may say. They write no state: the loop judges.

#include <cstdint>
#include <string>

#include "core/failure.h"
#include "core/ids.h"

namespace pd {

enum class EvidenceKind : std::uint8_t {
  landed,   // rows 0..rows of a layer are in our pages
  error,    // words say what, code whether it is a corruption (a generation that changed) or a lost peer
  skipped,  // the worker saw `cancelled` and did not do it
  drained,  // after cancel: nothing of this key is in the worker's hands any more
};

struct Evidence {
  Key key;
  EvidenceKind kind = EvidenceKind::landed;
  std::uint32_t layer = 0;
  std::uint32_t rows = 0;
  std::uint64_t bytes = 0;  // moved by this piece of work
  std::string words{};
  FailureCode code = FailureCode::kv_corruption;  // of an error
};

}  // namespace pd
