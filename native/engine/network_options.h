#pragma once

#include "engine/side_parts.h"
#include "transfer/network.h"

namespace pd {

NetworkOptions network_options(const SideParts& parts);

// Of all layers' rows of a prompt: what a transfer moves when nothing is cached.
std::uint64_t kv_bytes(const KvLayout& layout, std::uint32_t prompt_tokens);

}  // namespace pd
