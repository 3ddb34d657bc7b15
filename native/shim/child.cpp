#include "shim/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace pd {

namespace {

constexpr int exit_not_run = 127;

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

std::optional<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{ends[0], ends[1]};
}

void close_both(const Pipe& pipe) {
  close(pipe.read_end);
  close(pipe.write_end);
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// What the shim ignores or blocks is no business of the program.
void forget_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool connect_streams(int log) {
  const int nothing = open("/dev/null", O_RDONLY);
  return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
         dup2(log, STDERR_FILENO) >= 0 && (nothing == STDIN_FILENO || close(nothing) == 0);
}

[[noreturn]] void tell_and_end(int fault, const std::string& words) {
  const ssize_t written = write(fault, words.data(), words.size());
  _exit(written < 0 ? exit_not_run + 1 : exit_not_run);
}

[[noreturn]] void run_program(const LaunchFile& file, pid_t shim, int log, int gate, int fault) {
  // A group of its own: what is sent to the group of the shim does not reach it twice.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  char go = 0;
  // Nothing comes where the shim ended, perhaps before the line above.
  if (read(gate, &go, 1) != 1 || getppid() != shim) _exit(exit_not_run);
  forget_signals();
  if (!connect_streams(log)) tell_and_end(fault, std::string("no streams for it: ") + std::strerror(errno));
  if (!file.cwd.empty() && chdir(file.cwd.c_str()) != 0) {
    tell_and_end(fault, "the folder " + file.cwd + " cannot be entered: " + std::strerror(errno));
  }
  std::vector<char*> env = pointers_to(file.env);
  const std::vector<char*> args = pointers_to(file.args);
  environ = env.data();  // execvp searches the program's own PATH
  execvp(args[0], args.data());
  tell_and_end(fault, file.args[0] + " cannot be run: " + std::strerror(errno));
}

}  // namespace

std::optional<Child> Child::fork_waiting(const LaunchFile& file, int log) {
  const auto gate = make_pipe();
  if (!gate) return std::nullopt;
  const auto fault = make_pipe();
  if (!fault) {
    close_both(*gate);
    return std::nullopt;
  }
  const pid_t shim = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    close(gate->write_end);
    run_program(file, shim, log, gate->read_end, fault->write_end);
  }
  const int error = errno;
  close(gate->read_end);
  close(fault->write_end);
  const auto identity = pid < 0 ? std::nullopt : identity_of(pid);
  if (identity) return Child(*identity, gate->write_end, fault->read_end);
  close(gate->write_end);
  close(fault->read_end);
  errno = error;
  return std::nullopt;
}

std::optional<std::string> Child::let_run() {
  const bool let = write(gate_, "g", 1) == 1;
  close(gate_);
  std::string words;
  char part[512];
  for (;;) {
    const ssize_t count = read(fault_, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // closed by the program that runs now, or by the end of the process
    words.append(part, static_cast<size_t>(count));
  }
  close(fault_);
  if (!let && words.empty()) words = "it ended before it was let run";
  return words.empty() ? std::nullopt : std::optional(words);
}

void Child::give_up() {
  close(gate_);
  close(fault_);
}

}  // namespace pd
