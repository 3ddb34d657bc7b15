#pragma once
#include <napi.h>

#include "engine/engine.h"

namespace pd {

EngineOptions read_options(const Napi::Object& options);  // NativeOptions of src/engine/native.ts

}  // namespace pd
