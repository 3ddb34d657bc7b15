#include <sys/file.h>

#include <cerrno>
#include <cstring>

#include "shim/commands.h"

namespace pd {

int lock_inherited() {
  constexpr int inherited = 3;
  if (flock(inherited, LOCK_EX | LOCK_NB) == 0) return 0;
  if (errno == EWOULDBLOCK) return 1;
  return fail(std::string("the open file 3 cannot be locked: ") + std::strerror(errno), 2);
}

}  // namespace pd
