#pragma once
// 32 bytes that nobody can guess, from the kernel.

#include "core/hash.h"

namespace pd {

Digest random_nonce();

}  // namespace pd
