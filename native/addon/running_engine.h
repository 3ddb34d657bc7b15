#pragma once
// An engine and its way to JavaScript. Whatever ends first, the engine's loop is over before the way is
// closed: stop(), or the end of the environment (a worker that terminates, the process).

#include <napi.h>

#include <memory>

#include "addon/event_sink.h"
#include "engine/engine.h"

namespace pd {

class RunningEngine {
 public:
  RunningEngine(Napi::Env env, const Napi::Function& on_step);
  RunningEngine(const RunningEngine&) = delete;
  RunningEngine& operator=(const RunningEngine&) = delete;
  ~RunningEngine() { close(); }

  void start(const EngineOptions& options);  // any thread; throws as Engine::start does
  Engine& engine() { return *engine_; }
  void close();                // JavaScript thread; twice is safe
  bool finish(Napi::Env env);  // close() after the last events; false: it was closed before

 private:
  static void environment_ends(void* self);

  napi_env env_;
  EventSink* sink_;  // until close()
  std::unique_ptr<Engine> engine_;
  bool open_ = true;
};

}  // namespace pd
