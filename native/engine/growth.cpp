#include "engine/growth.h"

#include <algorithm>

namespace pd {

std::uint32_t pages_kept(std::uint32_t pages_total) { return std::max(1u, pages_total / 20); }

bool too_many_held(const PagePool& pool) { return pool.pages_held() > pool.pages_total() / 4; }

Failure held_failure(const PagePool& pool) {
  return {FailureCode::pool_exhausted, std::to_string(pool.pages_held()) + " of " + std::to_string(pool.pages_total()) +
                                           " pages are held after failed transfers, more than a quarter; restart the "
                                           "other engine, which still owes the proof that it is done with them"};
}

}  // namespace pd
