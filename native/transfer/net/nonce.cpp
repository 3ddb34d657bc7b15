#include "transfer/net/nonce.h"

#include <sys/random.h>

#include "core/check.h"

namespace pd {

Digest random_nonce() {
  Digest nonce{};
  // Up to 256 bytes the kernel gives all or, interrupted before it is seeded, nothing.
  ssize_t count = 0;
  do count = getrandom(nonce.data(), nonce.size(), 0);
  while (count < 0);
  PD_CHECK(static_cast<std::size_t>(count) == nonce.size(), "getrandom gives 32 bytes at once");
  return nonce;
}

}  // namespace pd
