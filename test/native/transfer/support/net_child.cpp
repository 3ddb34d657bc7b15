#include "transfer/support/net_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace pd {

NetChild::NetChild(const std::function<void(std::uint16_t)>& live) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) abort();
  Fd reads(ends[0]);
  ports_ = Fd(ends[1]);
  pid_ = fork();
  if (pid_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not without the test
  ports_.reset();
  std::uint16_t port = 0;
  if (read(reads.get(), &port, sizeof port) == sizeof port) live(port);
  while (true) pause();
}

void NetChild::go(std::uint16_t port) { static_cast<void>(write(ports_.get(), &port, sizeof port)); }

void NetChild::kill_it() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

}  // namespace pd
