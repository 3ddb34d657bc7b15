#pragma once
// Which room's deadline fires next. A deadline that has moved later is noticed when the old time comes:
// renewing a lease costs nothing.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/ids.h"

namespace pd {

class DueTimes {
 public:
  void set(Room room, std::optional<Nanos> at);  // none: no deadline
  std::vector<Room> take_passed(Nanos now);      // each must be set again if it still has one
  std::optional<Nanos> next() const;

 private:
  std::set<std::pair<Nanos, Room>> order_;
  std::map<Room, Nanos> times_;
};

}  // namespace pd
