#pragma once

namespace pd {

// What one engine process does. `both` prefills and decodes by itself, with no transfer.
enum class Role { prefill, decode, both };

const char* name_of(Role role);

}  // namespace pd
