#include "transfer/tombstones.h"

#include "transfer/limits.h"

namespace pd {

void Tombstones::put(Room room, Failure why) {
  if (!reasons_.try_emplace(room, std::move(why)).second) return;
  order_.push_back(room);
  if (order_.size() <= limits::tombstones_max) return;
  reasons_.erase(order_.front());
  order_.pop_front();
}

const Failure* Tombstones::find(Room room) const {
  const auto found = reasons_.find(room);
  return found == reasons_.end() ? nullptr : &found->second;
}

}  // namespace pd
