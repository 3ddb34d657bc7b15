#include "transfer/due_times.h"

namespace pd {

void DueTimes::set(Room room, std::optional<Nanos> at) {
  const auto known = times_.find(room);
  if (known != times_.end()) {
    if (at && *at >= known->second) return;
    order_.erase({known->second, room});
    times_.erase(known);
  }
  if (!at) return;
  order_.emplace(*at, room);
  times_.emplace(room, *at);
}

std::vector<Room> DueTimes::take_passed(Nanos now) {
  std::vector<Room> rooms;
  while (!order_.empty() && order_.begin()->first <= now) {
    rooms.push_back(order_.begin()->second);
    times_.erase(rooms.back());
    order_.erase(order_.begin());
  }
  return rooms;
}

std::optional<Nanos> DueTimes::next() const {
  if (order_.empty()) return std::nullopt;
  return order_.begin()->first;
}

}  // namespace pd
