// pdctl-shim: the tiny holder of an engine's process, and what Node cannot do: locks of open files and signals that
// cannot hit another process. docs/adr/0010 says why it is a program of its own.
#include "shim/commands.h"

namespace pd {

namespace {

constexpr const char* usage =
    "usage: pdctl-shim hold FILE | relaunch FILE | signal SIGNAL PID:STARTTICKS... | lock (the open file 3)";

int run(std::span<char* const> args) {
  const std::string_view command = args.empty() ? "" : args[0];
  if (command == "hold" && args.size() == 2) return hold(args[1]);
  if (command == "relaunch" && args.size() == 2) return relaunch(args[1]);
  if (command == "signal" && args.size() >= 2) return signal_all(args[1], args.subspan(2));
  if (command == "lock" && args.size() == 1) return lock_inherited();
  return fail(usage, 2);
}

}  // namespace

}  // namespace pd

int main(int count, char** args) { return pd::run(std::span<char* const>(args + 1, static_cast<size_t>(count - 1))); }
