#pragma once
#include <napi.h>

#include <cstdint>
#include <optional>

namespace pd {

// Counters are exact in a double up to 2^53, which no counter of ours reaches.
inline void set_number(Napi::Object& object, const char* key, std::uint64_t value) {
  object.Set(key, static_cast<double>(value));
}

// An absent time stays absent.
inline void set_time(Napi::Object& object, const char* key, const std::optional<double>& value) {
  if (value) object.Set(key, *value);
}

}  // namespace pd
