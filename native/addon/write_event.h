#pragma once
#include <napi.h>

#include "engine/engine.h"

namespace pd {

Napi::Object write_event(Napi::Env env, const Event& event);  // NativeEvent of src/engine/native.ts

}  // namespace pd
