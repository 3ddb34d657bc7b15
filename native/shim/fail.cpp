#include <cstdio>

#include "shim/commands.h"

namespace pd {

int fail(const std::string& words, int status) {
  std::fprintf(stderr, "pdctl-shim: %s\n", words.c_str());
  return status;
}

}  // namespace pd
