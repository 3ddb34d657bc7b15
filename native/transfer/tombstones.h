#pragma once
// Rooms that ended here before their other leg came, so that it fails at once instead of waiting.

#include <deque>
#include <map>

#include "core/failure.h"
#include "core/ids.h"

namespace pd {

class Tombstones {
 public:
  void put(Room room, Failure why);  // the first reason stays; the oldest room is forgotten when full
  const Failure* find(Room room) const;
  std::size_t size() const { return reasons_.size(); }

 private:
  std::map<Room, Failure> reasons_;
  std::deque<Room> order_;
};

}  // namespace pd
