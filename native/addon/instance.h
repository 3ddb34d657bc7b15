#pragma once
#include <napi.h>

namespace pd {

// What belongs to one environment: there are no globals, so a worker thread may load the addon too.
struct Instance { Napi::FunctionReference engine_type; };

}  // namespace pd
