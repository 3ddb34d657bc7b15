#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pd {

// What the program can be asked for; each returns the exit status of the process. 0: done. 1: no. 2: a wrong call.
int hold(const std::string& launch_file);
int relaunch(const std::string& launch_file);
// Each of `processes` is PID:STARTTICKS; prints one line each, in order: sent, gone or refused.
int signal_all(std::string_view signal, std::span<char* const> processes);
// Locks the open file 3 for whoever else has it open: a lock belongs to the open file, not to a process.
int lock_inherited();

// Says it on stderr; returns `status`.
int fail(const std::string& words, int status);

}  // namespace pd
