#include "core/check.h"

#include <cstdio>
#include <cstdlib>

namespace pd {

void check_failed(const char* file, int line, const char* condition, const char* words) {
  std::fprintf(stderr, "pdctl: bug at %s:%d: %s (%s does not hold)\n", file, line, words, condition);
  std::abort();
}

}  // namespace pd
