#include "addon/start_worker.h"

#include <system_error>

#include "addon/engine_object.h"
#include "addon/instance.h"

namespace pd {

StartWorker::StartWorker(Napi::Env env, const EngineOptions& options, const Napi::Function& on_step)
    : Napi::AsyncWorker(env, "pdctl engine start"),
      options_(options),
      deferred_(env),
      running_(std::make_unique<RunningEngine>(env, on_step)) {}

void StartWorker::Execute() {
  try {
    running_->start(options_);
  } catch (const std::system_error& error) {
    refusal_ = {error.code() == std::errc::address_in_use ? "address-in-use" : "system", error.what()};
  } catch (const std::runtime_error& error) {  // a ModelError
    refusal_ = {"model", error.what()};
  } catch (const std::exception& error) {  // no memory
    refusal_ = {"system", error.what()};
  }
}

void StartWorker::OnOK() {
  if (!refusal_) {
    const Napi::Function type = Env().GetInstanceData<Instance>()->engine_type.Value();
    return deferred_.Resolve(EngineObject::wrap(Env(), type, std::move(running_)));
  }
  running_->close();
  Napi::Error error = Napi::Error::New(Env(), refusal_->words);
  error.Set("code", refusal_->code);
  deferred_.Reject(error.Value());
}

}  // namespace pd
