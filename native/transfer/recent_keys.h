#pragma once
// The keys that were committed last: a failure that comes after is a lost ack, not a failure.

#include <deque>
#include <set>

#include "core/ids.h"

namespace pd {

class RecentKeys {
 public:
  void put(const Key& key);  // the oldest is forgotten when full
  bool contains(const Key& key) const { return keys_.contains(key); }

 private:
  std::set<Key> keys_;
  std::deque<Key> order_;
};

}  // namespace pd
