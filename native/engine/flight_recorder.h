#pragma once
// The records of all live requests and of the last ones that ended. The loop writes; anybody reads, and
// waits at most for a copy, never for a step.

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/entry.h"

namespace pd {

constexpr std::size_t ended_records_max = 1024;

class FlightRecorder {
 public:
  void update(const Entry& entry);  // live or, once, ended
  void pages_safe(Room room);       // what was held for this room's ended request is free again

  std::vector<RequestRecord> list(Nanos now) const;  // newest first
  std::optional<RequestRecord> find(const std::string& id, Nanos now) const;

 private:
  mutable std::mutex mutex_;
  std::map<SequenceNumber, Entry> live_;
  std::deque<Entry> ended_;  // in order of their end
};

}  // namespace pd
