#pragma once
// Ranks as threads of one process: each waits for the others, at most for the limit.

#include <condition_variable>
#include <mutex>
#include <vector>

#include "transfer/ranks.h"

namespace pd {

// What the ranks of one group share.
class RankTable {
 public:
  explicit RankTable(std::uint32_t size) : size_(size) {}
  std::variant<std::monostate, RankLost> reduce(const RankDigest& digest, std::span<TransferState> votes, Nanos limit);
  std::uint32_t size() const { return size_; }

 private:
  const std::uint32_t size_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  std::uint64_t round_ = 0;
  std::uint32_t here_ = 0;
  RankDigest digest_;  // of the first that came
  bool differs_ = false;
  std::vector<TransferState> lowest_;  // so far
  std::vector<TransferState> result_;  // of the round that ended last
  bool result_differs_ = false;
};

// One rank's seat at the table.
class ThreadRank final : public Ranks {
 public:
  explicit ThreadRank(RankTable& table) : table_(table) {}
  std::uint32_t size() const override { return table_.size(); }
  std::variant<std::monostate, RankLost> all_reduce_min(const RankDigest& digest, std::span<TransferState> votes,
                                                        Nanos limit) override {
    return table_.reduce(digest, votes, limit);
  }

 private:
  RankTable& table_;
};

}  // namespace pd
