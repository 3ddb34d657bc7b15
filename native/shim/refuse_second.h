#pragma once

#include <optional>

#include "shim/launch_file.h"

namespace pd {

// Two of the same name would write the same record and take the same ports: words while the last one lives.
std::optional<Fault> refuse_second(const LaunchFile& file);

}  // namespace pd
