#include "addon/running_engine.h"

namespace pd {

// Hooks run in reverse order: this one before the sink's own, so the loop never posts into a dead sink.
RunningEngine::RunningEngine(Napi::Env env, const Napi::Function& on_step)
    : env_(env), sink_(EventSink::open(env, on_step)) {
  napi_add_env_cleanup_hook(env_, environment_ends, this);
}

void RunningEngine::start(const EngineOptions& options) {
  engine_ = Engine::start(options, [sink = sink_](std::vector<Event> events) { sink->post(std::move(events)); });
}

void RunningEngine::close() {
  if (!open_) return;
  open_ = false;
  if (engine_) engine_->stop();
  napi_remove_env_cleanup_hook(env_, environment_ends, this);
  sink_->close();
}

bool RunningEngine::finish(Napi::Env env) {
  if (!open_) return false;
  engine_->stop();
  sink_->flush(env);
  close();
  return true;
}

void RunningEngine::environment_ends(void* self) {
  auto* engine = static_cast<RunningEngine*>(self);
  engine->open_ = false;  // the sink ends with the environment
  if (engine->engine_) engine->engine_->stop();
}

}  // namespace pd
