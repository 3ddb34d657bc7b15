#pragma once

#include <optional>
#include <string>

#include "shim/launch_file.h"

namespace pd {

// Two of the same name would write the same record and take the same ports: words while the last one lives, by its
// record or, since that may be lost, by a shim that holds the same launch file.
std::optional<Fault> refuse_second(const std::string& launch_file, const LaunchFile& file);

}  // namespace pd
