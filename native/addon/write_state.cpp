#include "addon/write_state.h"

#include <cstdio>

#include "addon/write_number.h"

namespace pd {
namespace {

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

Napi::Object write_queues(Napi::Env env, const QueueCounts& queues) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("bootstrap", queues.bootstrap);
  to.Set("waiting", queues.waiting);
  to.Set("running", queues.running);
  to.Set("inflight", queues.inflight);
  to.Set("prealloc", queues.prealloc);
  to.Set("transfer", queues.transfer);
  return to;
}

Napi::Object write_pages(Napi::Env env, const EngineState& state) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("total", state.pages_total);
  to.Set("free", state.pages_free);
  to.Set("live", state.pages_live);
  to.Set("held", state.pages_held);
  return to;
}

Napi::Object write_totals(Napi::Env env, const EngineState& state) {
  Napi::Object to = Napi::Object::New(env);
  set_number(to, "requests", state.requests_total);
  set_number(to, "finished", state.finished_total);
  set_number(to, "failed", state.failed_total);
  set_number(to, "aborted", state.aborted_total);
  set_number(to, "bootstrapFailed", state.bootstrap_failed_total);
  set_number(to, "transferFailed", state.transfer_failed_total);
  set_number(to, "transfersCompleted", state.transfers_completed_total);
  set_number(to, "transferBytes", state.transfer_bytes_total);
  set_number(to, "promptTokens", state.prompt_tokens_total);
  set_number(to, "generatedTokens", state.generated_tokens_total);
  set_number(to, "ackLost", state.ack_lost_total);
  set_number(to, "framesStale", state.frames_stale_total);
  set_number(to, "framesHostile", state.frames_hostile_total);
  set_number(to, "handshakesRefused", state.handshakes_refused_total);
  return to;
}

}  // namespace

Napi::Object write_state(Napi::Env env, const EngineState& state) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("role", name_of(state.role));
  to.Set("incarnation", hex(state.incarnation));
  to.Set("loopAgeMs", state.loop_age_ms);
  set_number(to, "steps", state.steps);
  to.Set("queues", write_queues(env, state.queues));
  if (state.queues.inflight > 0) to.Set("inflightOldestMs", state.inflight_oldest_ms);
  to.Set("pages", write_pages(env, state));
  to.Set("totals", write_totals(env, state));
  to.Set("links", state.links);
  to.Set("draining", state.draining);
  to.Set("pagesWrong", state.pages_wrong);
  return to;
}

}  // namespace pd
