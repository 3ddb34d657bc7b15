#pragma once
#include <cstdint>

namespace pd {

// Cores that this process may use: affinity and the cgroup's CPU quota, at least 1.
std::uint32_t cores_usable();

// Threads to compute with. ggml's threads spin: with more of them than cores everything stands still, so
// on one or two cores it is one thread, whatever is asked.
std::uint32_t compute_threads(std::uint32_t asked, std::uint32_t cores);

}  // namespace pd
