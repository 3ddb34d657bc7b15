#pragma once
// Fault points: compiled in, off unless the engine was started with allow-faults. They make each
// failure mode on purpose, so that it can be watched and healed.

#include <atomic>
#include <optional>
#include <string_view>

namespace pd {

struct Faults {
  std::atomic<bool> never_send{false};        // prefill: finished layers are never announced
  std::atomic<bool> park_copy_thread{false};  // decode: the copy thread stands still in the middle of a pull
  std::atomic<bool> ignore_deadlines{false};  // both: transfer deadlines are not looked at
};

// "never-send" and so on; nullptr for a name that is none.
std::atomic<bool>* fault_named(Faults& faults, std::string_view name);

}  // namespace pd
