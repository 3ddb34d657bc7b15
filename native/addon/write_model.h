#pragma once
#include <napi.h>

#include "engine/engine.h"

namespace pd {

Napi::Object write_model(Napi::Env env, const ModelInfo& model);  // NativeModel of src/engine/native.ts

}  // namespace pd
