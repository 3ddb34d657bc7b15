#pragma once
// Values out of JavaScript objects. A value of another type than expected is a TypeError that names it.

#include <napi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pd {

std::string text_in(const Napi::Object& object, const char* key);
double number_in(const Napi::Object& object, const char* key);
bool flag_in(const Napi::Object& object, const char* key);
std::uint64_t unsigned_bigint_in(const Napi::Object& object, const char* key);  // 64 bits, never through a double
Napi::Object object_in(const Napi::Object& object, const char* key);

// The same for a value that stands alone; `name` is for the error.
std::string text_of(const Napi::Value& value, const char* name);
std::uint64_t unsigned_bigint_of(const Napi::Value& value, const char* name);
Napi::Object object_of(const Napi::Value& value, const char* name);

}  // namespace pd
