#include "shim/signal_names.h"

#include <signal.h>

#include <array>

namespace pd {

namespace {

struct SignalName {
  int number;
  std::string_view name;
};

constexpr std::array signal_names = {
    SignalName{SIGHUP, "SIGHUP"},   SignalName{SIGINT, "SIGINT"},   SignalName{SIGQUIT, "SIGQUIT"},
    SignalName{SIGILL, "SIGILL"},   SignalName{SIGTRAP, "SIGTRAP"}, SignalName{SIGABRT, "SIGABRT"},
    SignalName{SIGBUS, "SIGBUS"},   SignalName{SIGFPE, "SIGFPE"},   SignalName{SIGKILL, "SIGKILL"},
    SignalName{SIGUSR1, "SIGUSR1"}, SignalName{SIGSEGV, "SIGSEGV"}, SignalName{SIGUSR2, "SIGUSR2"},
    SignalName{SIGPIPE, "SIGPIPE"}, SignalName{SIGALRM, "SIGALRM"}, SignalName{SIGTERM, "SIGTERM"},
    SignalName{SIGCHLD, "SIGCHLD"}, SignalName{SIGCONT, "SIGCONT"}, SignalName{SIGSTOP, "SIGSTOP"},
    SignalName{SIGTSTP, "SIGTSTP"}, SignalName{SIGXCPU, "SIGXCPU"}, SignalName{SIGXFSZ, "SIGXFSZ"},
    SignalName{SIGSYS, "SIGSYS"},
};

}  // namespace

std::string signal_name(int signal) {
  for (const SignalName& each : signal_names) {
    if (each.number == signal) return std::string(each.name);
  }
  return "signal " + std::to_string(signal);
}

std::optional<int> signal_number(std::string_view name) {
  for (const SignalName& each : signal_names) {
    if (each.name == name || each.name.substr(3) == name) return each.number;
  }
  return std::nullopt;
}

}  // namespace pd
