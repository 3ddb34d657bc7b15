#pragma once
#include <napi.h>

#include "engine/record.h"

namespace pd {

Napi::Object write_record(Napi::Env env,
                          const RequestRecord& record);  // requestRecordSchema of src/contract/engine-http.ts

}  // namespace pd
