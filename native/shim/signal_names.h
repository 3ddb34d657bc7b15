#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pd {

// "SIGTERM", or "signal 40" for one without a name here.
std::string signal_name(int signal);
std::optional<int> signal_number(std::string_view name);

}  // namespace pd
