#pragma once
// D pulls: the prefill engine's pool is mapped read-only, one copy thread copies rows into our pages and
// checks each page's generation before and after. Nobody else can write our memory.

#include <functional>
#include <memory>

#include "core/faults.h"
#include "kv/region.h"
#include "transfer/backend.h"

namespace pd {

class ShmBackend : public Backend {
 public:
  static std::unique_ptr<ShmBackend> create(Region& own, Faults& faults, std::function<void()> wake);

  // From any thread, never blocks. After `detach` the mapping goes as soon as the copy thread is out of it;
  // pulls of that incarnation that are still asked for get `error`, cancelled ones `drained`: never silence.
  virtual void attach(Incarnation prefill, std::unique_ptr<const Region> region) = 0;
  virtual void detach(Incarnation prefill) = 0;
};

}  // namespace pd
