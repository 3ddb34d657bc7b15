#pragma once
// Stops an engine off the JavaScript thread; its last events arrive before the promise resolves.

#include <napi.h>

#include <functional>

#include "addon/running_engine.h"

namespace pd {

class StopWorker final : public Napi::AsyncWorker {
 public:
  StopWorker(Napi::Env env, RunningEngine& running, std::function<void()> done);  // done: once an engine
  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override { running_.engine().stop(); }
  void OnOK() override;

 private:
  RunningEngine& running_;
  std::function<void()> done_;
  Napi::Promise::Deferred deferred_;
};

}  // namespace pd
