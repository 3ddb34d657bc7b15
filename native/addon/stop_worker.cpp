#include "addon/stop_worker.h"

#include <utility>

namespace pd {

StopWorker::StopWorker(Napi::Env env, RunningEngine& running, std::function<void()> done)
    : Napi::AsyncWorker(env, "pdctl engine stop"), running_(running), done_(std::move(done)), deferred_(env) {}

void StopWorker::OnOK() {
  if (running_.finish(Env())) done_();
  deferred_.Resolve(Env().Undefined());
}

}  // namespace pd
