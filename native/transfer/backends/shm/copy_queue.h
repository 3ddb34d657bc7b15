#pragma once
// What is asked of the copy thread and what it says, behind one lock: asked by the loop and by the
// network's thread, worked off by the copy thread, which holds the lock only to look, never to copy.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "kv/region.h"
#include "transfer/backend.h"

namespace pd {

// A peer's pool. `detached` once its connection is closed: whoever is in it leaves as soon as he can.
struct Mapping {
  Incarnation prefill = 0;
  std::unique_ptr<const Region> region;
  std::atomic<bool> detached{false};
};

// One key, from plan to forget or drained.
struct Transfer {
  PullPlan plan;
  std::atomic<bool> cancelled{false};
  bool forgotten = false;
};

struct PopulateMapping { Incarnation prefill; };  // what a peer has in use when it connects
struct PopulatePlan { Key key; };                 // what a request will use
using CopyWork = std::variant<Pull, PopulatePlan, PopulateMapping>;

// One piece of work with what it needs; neither goes away before `finish`. What is null was gone before.
struct CopyTask {
  CopyWork work;
  Transfer* transfer = nullptr;
  Mapping* mapping = nullptr;
};

class CopyQueue {
 public:
  explicit CopyQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  void attach(Incarnation prefill, std::unique_ptr<const Region> region);
  void detach(Incarnation prefill);
  void plan(PullPlan plan);
  void post(const Pull& pull);
  void cancel(const Key& key);
  void forget(const Key& key);
  std::vector<Evidence> poll();

  // For the copy thread. None: stop.
  std::optional<CopyTask> next();
  void finish(const CopyTask& task, std::optional<Evidence> evidence);
  void pause();  // a short while, or until stop
  bool stopping() const { return stopping_; }
  void stop();

 private:
  static constexpr std::size_t work_max = 1 << 16;

  void say(std::unique_lock<std::mutex>& lock, Evidence evidence);  // unlocks
  Mapping* mapping_of(Incarnation prefill);
  CopyTask task_for(CopyWork work);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stopping_{false};
  std::deque<CopyWork> work_;
  std::vector<Evidence> evidence_;
  std::map<Key, std::unique_ptr<Transfer>> transfers_;
  std::vector<std::unique_ptr<Mapping>> mappings_;
  Transfer* transfer_in_use_ = nullptr;  // by the copy thread
  Mapping* mapping_in_use_ = nullptr;
};

}  // namespace pd
