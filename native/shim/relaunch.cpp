#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "shim/commands.h"
#include "shim/launch_file.h"
#include "shim/refuse_second.h"
#include "shim/whole_file.h"

namespace pd {

namespace {

// In a session of its own and nobody's child once this process ends.
[[noreturn]] void become_holder(const std::string& launch_file, int talk) {
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(talk, STDERR_FILENO);
  execl("/proc/self/exe", "pdctl-shim", "hold", launch_file.c_str(), nullptr);
  _exit(fail(std::string("/proc/self/exe cannot be run: ") + std::strerror(errno), 1));
}

// The holder lets go of its talk once the program runs, or ends with what is wrong.
int wait_for_start(int talk) {
  bool said = false;
  char part[4096];
  for (;;) {
    const ssize_t count = read(talk, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return said ? 1 : 0;
    said = true;
    if (write(STDERR_FILENO, part, static_cast<size_t>(count)) < 0) return 1;
  }
}

}  // namespace

int relaunch(const std::string& launch_file) {
  auto read = read_launch_file(launch_file);
  if (const Fault* fault = std::get_if<Fault>(&read)) return fail(fault->words, 2);
  LaunchFile& file = std::get<LaunchFile>(read);
  if (const auto fault = refuse_second(launch_file, file)) return fail(fault->words, 1);
  ++file.generation;
  if (!WholeFile(launch_file, 0).write(launch_file_bytes(file))) {
    return fail(launch_file + " cannot be written: " + std::strerror(errno), 1);
  }
  int talk[2];
  if (pipe2(talk, O_CLOEXEC) != 0) return fail(std::string("no pipe: ") + std::strerror(errno), 1);
  const pid_t pid = fork();
  if (pid == 0) become_holder(launch_file, talk[1]);
  close(talk[1]);
  if (pid < 0) return fail(std::string("no process: ") + std::strerror(errno), 1);
  return wait_for_start(talk[0]);
}

}  // namespace pd
