#pragma once
// NativeEngine of src/engine/native.ts. It keeps itself alive until stop() is done.

#include <napi.h>

#include <memory>

#include "addon/running_engine.h"

namespace pd {

class EngineObject final : public Napi::ObjectWrap<EngineObject> {
 public:
  static Napi::Function define(Napi::Env env);  // the class; its constructor takes an External from wrap()
  static Napi::Object wrap(Napi::Env env, const Napi::Function& type, std::unique_ptr<RunningEngine> engine);

  explicit EngineObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value model(const Napi::CallbackInfo& info);
  Napi::Value bootstrap_port(const Napi::CallbackInfo& info);
  Napi::Value tokenize(const Napi::CallbackInfo& info);
  Napi::Value piece(const Napi::CallbackInfo& info);
  Napi::Value submit(const Napi::CallbackInfo& info);
  void abort(const Napi::CallbackInfo& info);
  void finish(const Napi::CallbackInfo& info);
  void abort_room(const Napi::CallbackInfo& info);
  Napi::Value state(const Napi::CallbackInfo& info);
  Napi::Value requests(const Napi::CallbackInfo& info);
  Napi::Value request(const Napi::CallbackInfo& info);
  Napi::Value set_fault(const Napi::CallbackInfo& info);
  Napi::Value faults(const Napi::CallbackInfo& info);
  void drain(const Napi::CallbackInfo& info);
  Napi::Value stop(const Napi::CallbackInfo& info);

  Engine& engine() { return running_->engine(); }

  std::unique_ptr<RunningEngine> running_;
};

}  // namespace pd
