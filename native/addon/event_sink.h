#pragma once
// Carries the events of a step from the loop thread to JavaScript: at most one call is under way, and it
// takes all events that are there when it arrives. Owned by its thread-safe function, which deletes it
// after the last call.

#include <napi.h>

#include <mutex>
#include <vector>

#include "engine/engine.h"

namespace pd {

class EventSink {
 public:
  static EventSink* open(Napi::Env env, const Napi::Function& on_step);
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;

  void post(std::vector<Event> events);  // loop thread
  void flush(Napi::Env env);             // JavaScript thread
  void close() { function_.Release(); }  // JavaScript thread, once; nobody posts after it

 private:
  static void call(Napi::Env env, Napi::Function, EventSink* sink, void*);
  using StepFunction = Napi::TypedThreadSafeFunction<EventSink, void, &EventSink::call>;

  EventSink() = default;

  StepFunction function_;
  Napi::FunctionReference on_step_;
  std::mutex mutex_;
  std::vector<Event> events_;
  bool called_ = false;   // and not answered
  bool closing_ = false;  // the environment goes away
};

}  // namespace pd
