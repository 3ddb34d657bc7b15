#include "addon/failure_value.h"

#include "addon/checked.h"

namespace pd {

Failure read_failure(const Napi::Value& value) {
  const Napi::Object from = object_of(value, "why");
  const std::string name = text_in(from, "code");
  constexpr int last = static_cast<int>(FailureCode::shutdown);
  for (int i = 0; i <= last; ++i) {
    const auto code = static_cast<FailureCode>(i);
    if (name == name_of(code)) return {code, text_in(from, "words")};
  }
  throw Napi::TypeError::New(from.Env(), "why.code: expected the name of a failure such as aborted, found " + name);
}

Napi::Object write_failure(Napi::Env env, const Failure& failure) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("code", name_of(failure.code));
  to.Set("words", failure.words);
  return to;
}

}  // namespace pd
