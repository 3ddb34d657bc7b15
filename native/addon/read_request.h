#pragma once
#include <napi.h>

#include "core/request.h"

namespace pd {

Request read_request(const Napi::Object& request);  // NativeRequest of src/engine/native.ts

}  // namespace pd
