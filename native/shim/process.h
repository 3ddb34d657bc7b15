#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pd {

// A process, told apart from a later one with the same number by the tick it started at.
struct Identity {
  pid_t pid = 0;
  uint64_t start_ticks = 0;
};

enum class SignalResult { sent, gone, refused };

// Nothing where there is no such process.
std::optional<Identity> identity_of(pid_t pid);
// One that has ended and waits for its parent does not live.
bool is_living(const Identity& identity);
// Everyone who lives here.
std::vector<Identity> everyone();
// Everyone who descends from the process, itself left out.
std::vector<Identity> descendants_of(pid_t pid);
// By pidfd, so that a number that is another's by now cannot be hit. refused: errno says why.
SignalResult signal_process(const Identity& identity, int signal);

std::string boot_id();
std::string pid_namespace();

}  // namespace pd
