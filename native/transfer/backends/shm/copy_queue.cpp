#include "transfer/backends/shm/copy_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace pd {

void CopyQueue::attach(Incarnation prefill, std::unique_ptr<const Region> region) {
  auto mapping = std::make_unique<Mapping>();
  mapping->prefill = prefill;
  mapping->region = std::move(region);
  const std::lock_guard lock(mutex_);
  mappings_.push_back(std::move(mapping));
  if (work_.size() < work_max) work_.push_back(PopulateMapping{prefill});  // else its first use pays
  changed_.notify_one();
}

void CopyQueue::detach(Incarnation prefill) {
  std::unique_ptr<Mapping> gone;  // unmapped without the lock
  const std::lock_guard lock(mutex_);
  Mapping* mapping = mapping_of(prefill);
  if (mapping == nullptr) return;
  mapping->detached = true;
  if (mapping == mapping_in_use_) return;  // finish() takes it away
  const auto at = std::ranges::find(mappings_, mapping, &std::unique_ptr<Mapping>::get);
  gone = std::move(*at);
  mappings_.erase(at);
}

void CopyQueue::plan(PullPlan plan) {
  auto transfer = std::make_unique<Transfer>();
  transfer->plan = std::move(plan);
  const Key key = transfer->plan.key;
  const std::lock_guard lock(mutex_);
  transfers_.try_emplace(key, std::move(transfer));
  if (work_.size() < work_max) work_.push_back(PopulatePlan{key});
  changed_.notify_one();
}

void CopyQueue::post(const Pull& pull) {
  std::unique_lock lock(mutex_);
  const auto refuse = [&](const char* words) {
    say(lock, {.key = pull.key,
               .kind = EvidenceKind::error,
               .layer = pull.layer,
               .words = words,
               .code = FailureCode::queue_full});
  };
  if (!transfers_.contains(pull.key)) return refuse("rows were asked for before it was known where they go");
  if (work_.size() + evidence_.size() >= work_max) return refuse("the copy thread has too much to do");
  work_.push_back(pull);
  changed_.notify_one();
}

void CopyQueue::cancel(const Key& key) {
  std::unique_lock lock(mutex_);
  const auto at = transfers_.find(key);
  if (at != transfers_.end()) {
    at->second->cancelled = true;
    if (at->second.get() == transfer_in_use_) return;  // finish() says `drained`
    transfers_.erase(at);                              // what is queued for it finds nothing and touches nothing
  }
  say(lock, {.key = key, .kind = EvidenceKind::drained, .words = {}});
}

void CopyQueue::forget(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto at = transfers_.find(key);
  if (at == transfers_.end()) return;
  at->second->forgotten = true;
  if (at->second.get() != transfer_in_use_) transfers_.erase(at);
}

std::vector<Evidence> CopyQueue::poll() {
  const std::lock_guard lock(mutex_);
  return std::exchange(evidence_, {});
}

std::optional<CopyTask> CopyQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || !work_.empty(); });
  if (stopping_) return std::nullopt;
  CopyTask task = task_for(std::move(work_.front()));
  work_.pop_front();
  transfer_in_use_ = task.transfer;
  mapping_in_use_ = task.mapping;
  return task;
}

void CopyQueue::finish(const CopyTask& task, std::optional<Evidence> evidence) {
  std::unique_ptr<Mapping> gone;  // unmapped without the lock
  std::unique_lock lock(mutex_);
  transfer_in_use_ = nullptr;
  mapping_in_use_ = nullptr;
  if (task.mapping != nullptr && task.mapping->detached) {
    const auto at = std::ranges::find(mappings_, task.mapping, &std::unique_ptr<Mapping>::get);
    gone = std::move(*at);
    mappings_.erase(at);
  }
  std::optional<Evidence> drained;
  if (Transfer* transfer = task.transfer) {
    const Key key = transfer->plan.key;
    const bool cancelled = transfer->cancelled;
    if (cancelled) drained = Evidence{.key = key, .kind = EvidenceKind::drained, .words = {}};
    if (cancelled || transfer->forgotten) transfers_.erase(key);
  }
  const bool first = evidence_.empty();
  if (evidence) evidence_.push_back(std::move(*evidence));
  if (drained) evidence_.push_back(std::move(*drained));
  const bool wakes = first && !evidence_.empty();
  lock.unlock();
  if (wakes) wake_();
}

void CopyQueue::pause() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(2), [&] { return stopping_.load(); });
}

void CopyQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

void CopyQueue::say(std::unique_lock<std::mutex>& lock, Evidence evidence) {
  const bool first = evidence_.empty();
  evidence_.push_back(std::move(evidence));
  lock.unlock();
  if (first) wake_();
}

Mapping* CopyQueue::mapping_of(Incarnation prefill) {
  const auto at = std::ranges::find_if(
      mappings_, [&](const auto& mapping) { return mapping->prefill == prefill && !mapping->detached; });
  return at == mappings_.end() ? nullptr : at->get();
}

CopyTask CopyQueue::task_for(CopyWork work) {
  const auto transfer_of = [&](const Key& key) {
    const auto at = transfers_.find(key);
    return at == transfers_.end() ? nullptr : at->second.get();
  };
  CopyTask task{.work = std::move(work)};
  if (const Pull* pull = std::get_if<Pull>(&task.work)) {
    task.transfer = transfer_of(pull->key);
    task.mapping = mapping_of(pull->key.prefill);
  } else if (const PopulatePlan* populate = std::get_if<PopulatePlan>(&task.work)) {
    task.transfer = transfer_of(populate->key);
    task.mapping = mapping_of(populate->key.prefill);
  } else if (const PopulateMapping* populate = std::get_if<PopulateMapping>(&task.work)) {
    task.mapping = mapping_of(populate->prefill);
  }
  return task;
}

}  // namespace pd
