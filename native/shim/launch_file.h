#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pd {

// What to hold, and how: `<run>/NAME.launch`. Strings that end with a zero byte, so that the program needs no parser
// of a language: first "pdctl-launch 1", then KEY=VALUE; `arg` and `env` repeat, in order.
struct LaunchFile {
  std::string name;
  int64_t generation = 0;
  std::string cwd;
  std::string log;
  int64_t log_bytes = 0;
  int64_t log_files = 0;
  std::string record;
  int64_t grace_ms = 0;
  std::vector<std::string> args;
  std::vector<std::string> env;
};

// The words say what was expected and what was found.
struct Fault { std::string words; };

std::variant<LaunchFile, Fault> read_launch_file(const std::string& path);
std::variant<LaunchFile, Fault> parse_launch_file(const std::string& bytes);
std::string launch_file_bytes(const LaunchFile& file);

}  // namespace pd
