#include "core/faults.h"

namespace pd {

std::atomic<bool>* fault_named(Faults& faults, std::string_view name) {
  if (name == "never-send") return &faults.never_send;
  if (name == "park-copy-thread") return &faults.park_copy_thread;
  if (name == "ignore-deadlines") return &faults.ignore_deadlines;
  return nullptr;
}

}  // namespace pd
