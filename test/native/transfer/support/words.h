#pragma once
#include <string>

#include "transfer/frame.h"

namespace pd {

// "ready(1,16)": a frame as tests compare it.
std::string words_of(const Frame& frame);

}  // namespace pd
