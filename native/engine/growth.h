#pragma once
// How much of the pool is not for newcomers.

#include "core/failure.h"
#include "kv/page_pool.h"

namespace pd {

// 5 %, at least one page: running sequences grow first.
std::uint32_t pages_kept(std::uint32_t pages_total);

// More than a quarter waits for proof that nobody writes to it any more: something is wrong with a peer.
bool too_many_held(const PagePool& pool);
Failure held_failure(const PagePool& pool);

}  // namespace pd
