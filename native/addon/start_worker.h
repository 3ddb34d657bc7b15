#pragma once
// Loads a model and starts an engine off the JavaScript thread.

#include <napi.h>

#include <memory>
#include <optional>
#include <string>

#include "addon/running_engine.h"
#include "engine/engine.h"

namespace pd {

class StartWorker final : public Napi::AsyncWorker {
 public:
  StartWorker(Napi::Env env, const EngineOptions& options, const Napi::Function& on_step);
  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override;
  void OnOK() override;

 private:
  struct Refusal { std::string code, words; };

  EngineOptions options_;
  Napi::Promise::Deferred deferred_;
  std::unique_ptr<RunningEngine> running_;
  std::optional<Refusal> refusal_;
};

}  // namespace pd
