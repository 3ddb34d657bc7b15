#include "transfer/presents.h"

#include "transfer/limits.h"

namespace pd {

bool Presents::full() const { return rooms_.size() >= limits::presents_max; }

const KeptPresent* Presents::find(Room room) const {
  const auto found = rooms_.find(room);
  return found == rooms_.end() ? nullptr : &found->second;
}

void Presents::keep(const KeptPresent& present) { rooms_.insert_or_assign(present.said.key.room, present); }

std::optional<KeptPresent> Presents::take(Room room) {
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return std::nullopt;
  const KeptPresent present = found->second;
  rooms_.erase(found);
  return present;
}

void Presents::forget(const Peer& peer) {
  std::erase_if(rooms_, [&](const auto& room) { return room.second.peer == &peer; });
}

}  // namespace pd
