#include "addon/event_sink.h"

#include <iterator>
#include <utility>

#include "addon/write_event.h"

namespace pd {

EventSink* EventSink::open(Napi::Env env, const Napi::Function& on_step) {
  EventSink* sink = new EventSink;
  sink->on_step_ = Napi::Persistent(on_step);
  sink->function_ = StepFunction::New(env, on_step, "pdctl engine", 0, 1, sink,
                                      [](Napi::Env, void*, EventSink* gone) { delete gone; });
  return sink;
}

void EventSink::post(std::vector<Event> events) {
  const std::lock_guard lock(mutex_);
  std::move(events.begin(), events.end(), std::back_inserter(events_));
  if (called_ || closing_) return;
  called_ = true;
  closing_ = function_.NonBlockingCall() == napi_closing;
}

void EventSink::flush(Napi::Env env) {
  std::vector<Event> events;
  {
    const std::lock_guard lock(mutex_);
    events = std::exchange(events_, {});
    called_ = false;
  }
  if (events.empty()) return;
  Napi::Array list = Napi::Array::New(env, events.size());
  for (std::uint32_t i = 0; i < events.size(); ++i) list.Set(i, write_event(env, events[i]));
  on_step_.Value().Call({list});
}

void EventSink::call(Napi::Env env, Napi::Function, EventSink* sink, void*) {
  if (env == nullptr) return;  // the environment goes away: nobody listens
  sink->flush(env);
}

}  // namespace pd
