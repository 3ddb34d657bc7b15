#include "addon/write_model.h"

namespace pd {

Napi::Object write_model(Napi::Env env, const ModelInfo& model) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("name", model.name);
  to.Set("architecture", model.architecture);
  to.Set("chatTemplate", model.chat_template);
  to.Set("bosText", model.bos_text);
  to.Set("eosText", model.eos_text);
  to.Set("layers", model.layers);
  to.Set("kvHeads", model.kv_heads);
  to.Set("headDim", model.head_dim);
  to.Set("vocab", model.vocab);
  to.Set("contextMax", model.context_max);
  to.Set("pages", model.pages);
  to.Set("threads", model.threads);
  to.Set("fingerprint", model.fingerprint);
  return to;
}

}  // namespace pd
