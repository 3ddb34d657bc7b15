#include "transfer/backends/shm/copier.h"

#include <algorithm>
#include <cstring>

namespace pd {
namespace {

// So that a cancelled pull stops soon.
constexpr std::size_t run_bytes_max = 1 << 20;

constexpr const char* unmapped = "the prefill engine's memory is not mapped any more: its connection was closed";

// The page of the run that is not the announced one, in words.
std::optional<std::string> changed(const PullPlan& plan, std::size_t first, std::size_t count, const Region& from) {
  for (std::size_t i = first; i < first + count; ++i) {
    const std::uint64_t found = from.generations()[plan.from[i]].load(std::memory_order_acquire);
    if (found == plan.generations[i] && found % 2 == 0) continue;
    return "page " + std::to_string(plan.from[i]) + " of the prefill engine has generation " + std::to_string(found) +
           ", announced was " + std::to_string(plan.generations[i]) + ": it is not the same page any more";
  }
  return std::nullopt;
}

bool all_in(const KvPages& pages, const Region& region) {
  return std::ranges::all_of(pages, [&](PageId page) { return page < region.layout().pages; });
}

}  // namespace

std::optional<Evidence> Copier::work(const CopyTask& task) {
  if (const Pull* asked = std::get_if<Pull>(&task.work)) return pull(*asked, task);
  const bool usable = task.mapping != nullptr && !task.mapping->detached;
  if (!usable) return std::nullopt;
  if (std::holds_alternative<PopulateMapping>(task.work)) {
    populate(*task.mapping->region);
  } else if (task.transfer != nullptr && !task.transfer->cancelled) {
    populate(task.transfer->plan, *task.mapping->region);
  }
  return std::nullopt;
}

std::optional<Evidence> Copier::pull(const Pull& pull, const CopyTask& task) {
  if (task.transfer == nullptr) return std::nullopt;  // cancelled since, and `drained` has been said
  const Transfer& transfer = *task.transfer;
  const PullPlan& plan = transfer.plan;
  Evidence evidence{.key = pull.key, .kind = EvidenceKind::landed, .layer = pull.layer, .words = {}};
  const auto skipped = [&] {
    evidence.kind = EvidenceKind::skipped;
    return evidence;
  };
  const auto error = [&](FailureCode code, std::string words) {
    evidence.kind = EvidenceKind::error;
    evidence.code = code;
    evidence.words = std::move(words);
    return evidence;
  };
  if (transfer.cancelled) return skipped();
  if (task.mapping == nullptr) return error(FailureCode::peer_lost, unmapped);
  const Region& from = *task.mapping->region;
  if (std::optional<std::string> words = objection(pull, plan, from)) return error(FailureCode::peer_failed, *words);

  const std::uint32_t end = pull.first + pull.count;
  for (std::uint32_t row = pull.first; row < end;) {
    const Run run = next_run(plan, row, end);
    if (std::optional<std::string> words = changed(plan, run.page, run.pages, from)) {
      return error(FailureCode::kv_corruption, *words);
    }
    evidence.bytes += copy(run, pull.layer, plan, from);
    park_where_asked();
    if (transfer.cancelled || queue_.stopping()) return skipped();
    if (task.mapping->detached) return error(FailureCode::peer_lost, unmapped);
    std::atomic_thread_fence(std::memory_order_acquire);  // the rows were read before the generations are again
    if (std::optional<std::string> words = changed(plan, run.page, run.pages, from)) {
      return error(FailureCode::kv_corruption, *words);
    }
    row += run.rows;
  }
  evidence.rows = end;
  return evidence;
}

std::optional<std::string> Copier::objection(const Pull& pull, const PullPlan& plan, const Region& from) const {
  const std::size_t pages = plan.from.size();
  if (plan.to.size() < pages || plan.generations.size() != pages || !all_in(plan.from, from) ||
      !all_in(plan.to, own_)) {
    return "the prefill engine named " + std::to_string(pages) + " pages that do not fit the " +
           std::to_string(plan.to.size()) + " of this engine or the pool of " + std::to_string(from.layout().pages);
  }
  if (pull.layer >= own_.layout().layers || std::uint64_t{pull.first} + pull.count > pages * page_tokens) {
    return "rows " + std::to_string(pull.first) + "+" + std::to_string(pull.count) + " of layer " +
           std::to_string(pull.layer) + " are beyond the " + std::to_string(pages) + " pages of the prefill engine";
  }
  return std::nullopt;
}

Copier::Run Copier::next_run(const PullPlan& plan, std::uint32_t row, std::uint32_t end) const {
  const std::size_t pages_max =
      faults_.park_copy_thread ? 1 : std::max<std::size_t>(run_bytes_max / own_.layout().page_bytes(), 1);
  const std::size_t page = row / page_tokens, last = (end - 1) / page_tokens;
  std::size_t pages = 1;
  while (pages < pages_max && page + pages <= last && plan.from[page + pages] == plan.from[page] + pages &&
         plan.to[page + pages] == plan.to[page] + pages) {
    ++pages;
  }
  const auto run_end = static_cast<std::uint32_t>((page + pages) * page_tokens);
  return {.row = row, .rows = std::min(run_end, end) - row, .page = page, .pages = pages};
}

std::uint64_t Copier::copy(const Run& run, std::uint32_t layer, const PullPlan& plan, const Region& from) {
  const std::size_t token_bytes = own_.layout().token_bytes();
  const std::size_t into_page = run.row % page_tokens * token_bytes;
  const std::size_t bytes = run.rows * token_bytes;
  std::memcpy(own_.pages() + own_.layout().offset(layer, plan.to[run.page]) + into_page,
              from.pages() + from.layout().offset(layer, plan.from[run.page]) + into_page, bytes);
  return bytes;
}

void Copier::park_where_asked() {
  while (faults_.park_copy_thread && !queue_.stopping()) queue_.pause();
}

void Copier::populate(const PullPlan& plan, const Region& from) {
  if (all_in(plan.from, from)) from.populate(plan.from);
  if (all_in(plan.to, own_)) own_.populate(plan.to);
}

void Copier::populate(const Region& from) {
  KvPages used;
  for (PageId page = 0; page < from.layout().pages; ++page) {
    if (from.generations()[page].load(std::memory_order_relaxed) % 2 == 0) used.push_back(page);
  }
  from.populate(used);
}

}  // namespace pd
