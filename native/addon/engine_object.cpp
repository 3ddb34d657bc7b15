#include "addon/engine_object.h"

#include <algorithm>

#include "addon/checked.h"
#include "addon/failure_value.h"
#include "addon/read_request.h"
#include "addon/stop_worker.h"
#include "addon/write_model.h"
#include "addon/write_record.h"
#include "addon/write_state.h"

namespace pd {

Napi::Function EngineObject::define(Napi::Env env) {
  return DefineClass(
      env, "NativeEngine",
      {InstanceAccessor<&EngineObject::model>("model"),
       InstanceAccessor<&EngineObject::bootstrap_port>("bootstrapPort"),
       InstanceMethod<&EngineObject::tokenize>("tokenize"), InstanceMethod<&EngineObject::piece>("piece"),
       InstanceMethod<&EngineObject::submit>("submit"), InstanceMethod<&EngineObject::abort>("abort"),
       InstanceMethod<&EngineObject::finish>("finish"), InstanceMethod<&EngineObject::abort_room>("abortRoom"),
       InstanceMethod<&EngineObject::state>("state"), InstanceMethod<&EngineObject::requests>("requests"),
       InstanceMethod<&EngineObject::request>("request"), InstanceMethod<&EngineObject::set_fault>("setFault"),
       InstanceMethod<&EngineObject::faults>("faults"), InstanceMethod<&EngineObject::drain>("drain"),
       InstanceMethod<&EngineObject::stop>("stop")});
}

Napi::Object EngineObject::wrap(Napi::Env env, const Napi::Function& type, std::unique_ptr<RunningEngine> engine) {
  return type.New({Napi::External<std::unique_ptr<RunningEngine>>::New(env, &engine)});
}

EngineObject::EngineObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<EngineObject>(info) {
  if (!info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "an engine is made by start()");
  running_ = std::move(*info[0].As<Napi::External<std::unique_ptr<RunningEngine>>>().Data());
  Ref();
}

Napi::Value EngineObject::model(const Napi::CallbackInfo& info) { return write_model(info.Env(), engine().model()); }

Napi::Value EngineObject::bootstrap_port(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), engine().bootstrap_port());
}

Napi::Value EngineObject::tokenize(const Napi::CallbackInfo& info) {
  const std::vector<TokenId> tokens = engine().tokenize(text_of(info[0], "text"), info[1].ToBoolean());
  Napi::Int32Array list = Napi::Int32Array::New(info.Env(), tokens.size());
  std::ranges::copy(tokens, list.Data());
  return list;
}

Napi::Value EngineObject::piece(const Napi::CallbackInfo& info) {
  const std::string bytes = engine().piece(info[0].ToNumber().Int32Value());
  Napi::Uint8Array list = Napi::Uint8Array::New(info.Env(), bytes.size());
  std::ranges::copy(bytes, list.Data());
  return list;
}

Napi::Value EngineObject::submit(const Napi::CallbackInfo& info) {
  const std::optional<Failure> refused = engine().submit(read_request(object_of(info[0], "request")));
  if (!refused) return info.Env().Undefined();
  return write_failure(info.Env(), *refused);
}

void EngineObject::abort(const Napi::CallbackInfo& info) {
  engine().abort(text_of(info[0], "id"), read_failure(info[1]));
}

void EngineObject::finish(const Napi::CallbackInfo& info) { engine().finish(text_of(info[0], "id")); }

void EngineObject::abort_room(const Napi::CallbackInfo& info) {
  engine().abort_room(unsigned_bigint_of(info[0], "room"), read_failure(info[1]));
}

Napi::Value EngineObject::state(const Napi::CallbackInfo& info) { return write_state(info.Env(), engine().state()); }

Napi::Value EngineObject::requests(const Napi::CallbackInfo& info) {
  const std::vector<RequestRecord> records = engine().requests();
  Napi::Array list = Napi::Array::New(info.Env(), records.size());
  for (std::uint32_t i = 0; i < records.size(); ++i) list.Set(i, write_record(info.Env(), records[i]));
  return list;
}

Napi::Value EngineObject::request(const Napi::CallbackInfo& info) {
  const std::optional<RequestRecord> record = engine().request(text_of(info[0], "id"));
  if (!record) return info.Env().Undefined();
  return write_record(info.Env(), *record);
}

Napi::Value EngineObject::set_fault(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), engine().set_fault(text_of(info[0], "name"), info[1].ToBoolean()));
}

Napi::Value EngineObject::faults(const Napi::CallbackInfo& info) {
  Napi::Object list = Napi::Object::New(info.Env());
  for (const auto& [name, on] : engine().faults()) list.Set(name, on);
  return list;
}

void EngineObject::drain(const Napi::CallbackInfo& info) { engine().drain(info[0].ToBoolean()); }

Napi::Value EngineObject::stop(const Napi::CallbackInfo& info) {
  auto* worker = new StopWorker(info.Env(), *running_, [this] { Unref(); });
  worker->Queue();
  return worker->promise();
}

}  // namespace pd
