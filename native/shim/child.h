#pragma once

#include <optional>
#include <string>

#include "shim/launch_file.h"
#include "shim/process.h"

namespace pd {

// The program that is held. It is forked at once and waits before its first instruction of its own until it is let
// run, so that its record is on disk before it does anything. It dies with the thread that made it (PDEATHSIG).
class Child {
 public:
  // Output and errors go to `log`, input is empty. Nothing where the system has no process for it (errno).
  static std::optional<Child> fork_waiting(const LaunchFile& file, int log);

  const Identity& identity() const { return identity_; }
  // Words where the program could not be started; the process ends then.
  std::optional<std::string> let_run();
  // Instead of let_run: it ends without having done anything.
  void give_up();

 private:
  Child(Identity identity, int gate, int fault) : identity_(identity), gate_(gate), fault_(fault) {}

  Identity identity_;
  int gate_;
  int fault_;
};

}  // namespace pd
