#pragma once
// The next token from a row of logits: a function of (seed, absolute position), so that no sampler
// state has to move between engines.

#include <span>

#include "core/request.h"

namespace pd {

// logits: (vocab). position: the absolute position of the token being drawn. Ties go to the lower id.
TokenId sample(std::span<const float> logits, const Sampling& sampling, std::uint32_t position);

}  // namespace pd
