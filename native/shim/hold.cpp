#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "shim/commands.h"
#include "shim/holder.h"
#include "shim/launch_file.h"
#include "shim/refuse_second.h"

namespace pd {

namespace {

// Whatever was inherited by mistake, such as a lock, must not live as long as this process.
void leave_inherited_files() { syscall(SYS_close_range, 3U, ~0U, 0U); }

// A full disk or a file limit is an error of one write, not the end of the holder.
void outlive_signals() {
  for (const int number : {SIGXFSZ, SIGPIPE, SIGHUP, SIGQUIT}) signal(number, SIG_IGN);
}

// Whoever waits for the start sees the end of its pipe.
void leave_streams() {
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  if (nothing > STDERR_FILENO) close(nothing);
}

}  // namespace

int hold(const std::string& launch_file) {
  leave_inherited_files();
  outlive_signals();
  const auto read = read_launch_file(launch_file);
  if (const Fault* fault = std::get_if<Fault>(&read)) return fail(fault->words, 2);
  const LaunchFile& file = std::get<LaunchFile>(read);
  if (const auto fault = refuse_second(launch_file, file)) return fail(fault->words, 1);
  if (setsid() < 0 && getsid(0) != getpid()) return fail(std::string("no session: ") + std::strerror(errno), 1);
  Holder holder(launch_file, file);
  if (const auto words = holder.begin()) return fail(*words, 1);
  leave_streams();
  const bool recorded = holder.run();
  _exit(recorded ? 0 : 1);  // not by return: the log's thread may hang at a disk, and is not waited for
}

}  // namespace pd
