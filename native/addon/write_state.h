#pragma once
#include <napi.h>

#include "engine/record.h"

namespace pd {

Napi::Object write_state(Napi::Env env, const EngineState& state);  // engineStateSchema of src/contract/engine-http.ts

}  // namespace pd
