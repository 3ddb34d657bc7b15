#include "transfer/backends/shm/shm_backend.h"

#include <pthread.h>

#include <thread>

#include "transfer/backends/shm/copier.h"
#include "transfer/backends/shm/copy_queue.h"

namespace pd {
namespace {

class CopyThread final : public ShmBackend {
 public:
  CopyThread(Region& own, Faults& faults, std::function<void()> wake)
      : queue_(std::move(wake)), copier_(own, faults, queue_), thread_([this] { run(); }) {}
  ~CopyThread() override {
    queue_.stop();
    thread_.join();
  }

  const char* name() const override { return "shm"; }
  void attach(Incarnation prefill, std::unique_ptr<const Region> region) override {
    queue_.attach(prefill, std::move(region));
  }
  void detach(Incarnation prefill) override { queue_.detach(prefill); }
  void plan(PullPlan plan) override { queue_.plan(std::move(plan)); }
  void post(const Pull& pull) override { queue_.post(pull); }
  void cancel(const Key& key) override { queue_.cancel(key); }
  void forget(const Key& key) override { queue_.forget(key); }
  std::vector<Evidence> poll() override { return queue_.poll(); }

 private:
  void run() {
    pthread_setname_np(pthread_self(), "pd-copy");
    while (const std::optional<CopyTask> task = queue_.next()) queue_.finish(*task, copier_.work(*task));
  }

  CopyQueue queue_;
  Copier copier_;
  std::thread thread_;  // the last: it uses both
};

}  // namespace

std::unique_ptr<ShmBackend> ShmBackend::create(Region& own, Faults& faults, std::function<void()> wake) {
  return std::make_unique<CopyThread>(own, faults, std::move(wake));
}

}  // namespace pd
