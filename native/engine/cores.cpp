#include "engine/cores.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace pd {
namespace {

std::uint32_t cores_by_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)));
}

// "max 100000" or "150000 100000": microseconds of CPU in each period. Rounded down: 1.5 cores are one.
std::uint32_t cores_by_quota(std::uint32_t otherwise) {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  std::uint64_t period = 0;
  if (!(file >> quota >> period) || quota == "max" || period == 0) return otherwise;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, std::stoull(quota) / period));
}

}  // namespace

std::uint32_t cores_usable() {
  const std::uint32_t cores = cores_by_affinity();
  return std::min(cores, cores_by_quota(cores));
}

std::uint32_t compute_threads(std::uint32_t asked, std::uint32_t cores) {
  if (cores <= 2) return 1;
  return std::clamp(asked, 1u, cores);
}

}  // namespace pd
