#pragma once
// A decode engine in a process of its own, to be killed. Made before this process has threads.

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "transfer/net/fd.h"

namespace pd {

class NetChild {
 public:
  // In the child: `live` gets the port to dial. The process stays when it returns, until it is killed.
  explicit NetChild(const std::function<void(std::uint16_t)>& live);
  ~NetChild() { kill_it(); }

  void go(std::uint16_t port);
  void kill_it();  // SIGKILL, and waits for its end

 private:
  Fd ports_;
  pid_t pid_ = 0;
};

}  // namespace pd
