#include "core/request.h"

#include "core/check.h"

namespace pd {

const char* name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop: return "stop";
    case FinishReason::length: return "length";
  }
  PD_CHECK(false, "a finish reason is one of the enum");
}

}  // namespace pd
