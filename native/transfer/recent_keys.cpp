#include "transfer/recent_keys.h"

#include "transfer/limits.h"

namespace pd {

void RecentKeys::put(const Key& key) {
  if (!keys_.insert(key).second) return;
  order_.push_back(key);
  if (order_.size() <= limits::commits_max) return;
  keys_.erase(order_.front());
  order_.pop_front();
}

}  // namespace pd
