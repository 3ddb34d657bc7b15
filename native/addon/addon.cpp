#include <napi.h>

#include "addon/checked.h"
#include "addon/engine_object.h"
#include "addon/instance.h"
#include "addon/read_options.h"
#include "addon/start_worker.h"

namespace pd {
namespace {

Napi::Value start(const Napi::CallbackInfo& info) {
  const EngineOptions options = read_options(object_of(info[0], "options"));
  if (!info[1].IsFunction()) throw Napi::TypeError::New(info.Env(), "onStep: expected a function");
  auto* worker = new StartWorker(info.Env(), options, info[1].As<Napi::Function>());
  worker->Queue();
  return worker->promise();
}

Napi::Object exports_of(Napi::Env env, Napi::Object exports) {
  auto* instance = new Instance{Napi::Persistent(EngineObject::define(env))};
  env.SetInstanceData(instance);
  exports.Set("version", PD_VERSION);
  exports.Set("start", Napi::Function::New<start>(env, "start"));
  return exports;
}

}  // namespace
}  // namespace pd

static Napi::Object init(Napi::Env env, Napi::Object exports) { return pd::exports_of(env, exports); }

NODE_API_MODULE(pdnative, init)
