#pragma once
// ggml and libllama print to stderr by themselves. Here they are quiet, and what they complained about
// last can be asked for, so that it stands in our error.

#include <string>

namespace pd {

void quiet_logs();

// The errors of this thread since the last call, as one line; empty when there were none.
std::string take_logged_errors();

}  // namespace pd
