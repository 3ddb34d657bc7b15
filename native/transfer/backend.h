#pragma once
// Moves rows from a prefill engine's pages into ours. Asked, never waited on.

#include <memory>
#include <vector>

#include "core/ids.h"
#include "kv/page_pool.h"
#include "transfer/evidence.h"

namespace pd {

// Where a key's rows come from and go to. Index i of each: tokens 16 i … 16 i + 15.
struct PullPlan {
  Key key;
  KvPages from;                            // the peer's pages
  std::vector<std::uint64_t> generations;  // of `from`, as the peer announced them
  KvPages to;                              // ours, pinned
};

// Rows first..first+count of one layer.
struct Pull {
  Key key;
  std::uint32_t layer = 0, first = 0, count = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  virtual void plan(PullPlan plan) = 0;      // once a key, before its first pull
  virtual void post(const Pull& pull) = 0;   // evidence follows
  virtual void cancel(const Key& key) = 0;   // `drained` follows, once, also when nothing was posted
  virtual void forget(const Key& key) = 0;   // all of it has landed: no `drained` will come
  virtual std::vector<Evidence> poll() = 0;  // what workers have said since the last call; never blocks
};

}  // namespace pd
