#pragma once
// Prefill: decode engines that presented a room before its prefill leg came. Their own deadlines cover
// the wait; we only remember.

#include <map>
#include <optional>
#include <vector>

#include "transfer/peer.h"

namespace pd {

struct KeptPresent {
  Present said;
  Peer* peer;
};

class Presents {
 public:
  bool full() const;
  const KeptPresent* find(Room room) const;
  void keep(const KeptPresent& present);
  std::optional<KeptPresent> take(Room room);
  void forget(const Peer& peer);  // its link is closed

 private:
  std::map<Room, KeptPresent> rooms_;
};

}  // namespace pd
