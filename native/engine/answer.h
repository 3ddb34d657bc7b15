#pragma once

#include <optional>

#include "core/request.h"

namespace pd {

// Whether this token ends the answer: the model's end token does, and is no output; the last token that
// was asked for does. outputs: tokens of the answer before this one.
inline std::optional<FinishReason> ending_of(const Request& request, std::uint32_t outputs, bool is_end_token) {
  if (is_end_token && request.stops_at_end) return FinishReason::stop;
  if (outputs + 1 >= request.tokens_max) return FinishReason::length;
  return std::nullopt;
}

}  // namespace pd
