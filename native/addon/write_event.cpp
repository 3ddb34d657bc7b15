#include "addon/write_event.h"

#include "addon/failure_value.h"

namespace pd {

Napi::Object write_event(Napi::Env env, const Event& event) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("id", event.id);
  switch (event.kind) {
    case Event::Kind::committed: to.Set("kind", "committed"); break;
    case Event::Kind::token:
      to.Set("kind", "token");
      to.Set("token", event.token);
      break;
    case Event::Kind::finished:
      to.Set("kind", "finished");
      to.Set("reason", name_of(event.reason));
      to.Set("promptTokens", event.prompt_tokens);
      to.Set("outputTokens", event.output_tokens);
      break;
    case Event::Kind::failed:
      to.Set("kind", "failed");
      to.Set("failure", write_failure(env, event.failure));
      break;
  }
  return to;
}

}  // namespace pd
