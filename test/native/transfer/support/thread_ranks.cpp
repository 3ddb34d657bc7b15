#include "transfer/support/thread_ranks.h"

#include <algorithm>
#include <chrono>

namespace pd {

std::variant<std::monostate, RankLost> RankTable::reduce(const RankDigest& digest, std::span<TransferState> votes,
                                                         Nanos limit) {
  std::unique_lock lock(mutex_);
  if (here_ == 0) {
    digest_ = digest;
    differs_ = false;
    lowest_.assign(votes.begin(), votes.end());
  } else if (digest != digest_) {
    differs_ = true;
  } else {
    for (std::size_t i = 0; i < votes.size(); ++i) lowest_[i] = std::min(lowest_[i], votes[i]);
  }
  if (++here_ == size_) {
    here_ = 0;
    ++round_;
    result_ = lowest_;
    result_differs_ = differs_;
    all_here_.notify_all();
  } else {
    const std::uint64_t mine = round_;
    if (!all_here_.wait_for(lock, std::chrono::nanoseconds(limit), [&] { return round_ != mine; }))
      return RankLost{"a rank did not come to the vote in time"};
  }
  if (result_differs_) return RankLost{"the ranks do not speak of the same requests"};
  std::copy(result_.begin(), result_.end(), votes.begin());
  return {};
}

}  // namespace pd
