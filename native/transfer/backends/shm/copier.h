#pragma once
// The copying itself: rows of a peer's pages into ours. Every source page must have the generation that was
// announced, before the copy and after it; else the copy is worth nothing and the evidence says so.

#include "core/faults.h"
#include "transfer/backends/shm/copy_queue.h"

namespace pd {

class Copier {
 public:
  Copier(Region& own, const Faults& faults, CopyQueue& queue) : own_(own), faults_(faults), queue_(queue) {}

  // None where nobody waits for evidence.
  std::optional<Evidence> work(const CopyTask& task);

 private:
  // Rows that lie in one piece on both sides.
  struct Run {
    std::uint32_t row = 0, rows = 0;
    std::size_t page = 0, pages = 0;  // indices into the plan
  };

  std::optional<Evidence> pull(const Pull& pull, const CopyTask& task);
  std::optional<std::string> objection(const Pull& pull, const PullPlan& plan, const Region& from) const;
  Run next_run(const PullPlan& plan, std::uint32_t row, std::uint32_t end) const;
  std::uint64_t copy(const Run& run, std::uint32_t layer, const PullPlan& plan, const Region& from);
  void park_where_asked();

  void populate(const PullPlan& plan, const Region& from);
  void populate(const Region& from);

  Region& own_;
  const Faults& faults_;
  CopyQueue& queue_;
};

}  // namespace pd
