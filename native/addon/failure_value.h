#pragma once
#include <napi.h>

#include "core/failure.h"

namespace pd {

Failure read_failure(const Napi::Value& failure);  // NativeFailure of src/engine/native.ts
Napi::Object write_failure(Napi::Env env, const Failure& failure);

}  // namespace pd
