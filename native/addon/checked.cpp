#include "addon/checked.h"

namespace pd {
namespace {

const char* type_name(const Napi::Value& value) {
  switch (value.Type()) {
    case napi_undefined: return "undefined";
    case napi_null: return "null";
    case napi_boolean: return "a boolean";
    case napi_number: return "a number";
    case napi_string: return "a string";
    case napi_symbol: return "a symbol";
    case napi_object: return "an object";
    case napi_function: return "a function";
    case napi_external: return "an external value";
    case napi_bigint: return "a bigint";
  }
  return "something else";
}

void expect(bool right, const char* name, const char* expected, const Napi::Value& found) {
  if (!right)
    throw Napi::TypeError::New(found.Env(),
                               std::string(name) + ": expected " + expected + ", found " + type_name(found));
}

}  // namespace

std::string text_of(const Napi::Value& value, const char* name) {
  expect(value.IsString(), name, "a string", value);
  return value.As<Napi::String>().Utf8Value();
}

std::uint64_t unsigned_bigint_of(const Napi::Value& value, const char* name) {
  expect(value.IsBigInt(), name, "a bigint", value);
  bool lossless = false;
  const std::uint64_t number = value.As<Napi::BigInt>().Uint64Value(&lossless);
  if (!lossless)
    throw Napi::TypeError::New(
        value.Env(), std::string(name) + ": expected 64 bits without a sign, found a negative or larger number");
  return number;
}

Napi::Object object_of(const Napi::Value& value, const char* name) {
  expect(value.IsObject(), name, "an object", value);
  return value.As<Napi::Object>();
}

std::string text_in(const Napi::Object& object, const char* key) { return text_of(object.Get(key), key); }

double number_in(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  expect(value.IsNumber(), key, "a number", value);
  return value.As<Napi::Number>().DoubleValue();
}

bool flag_in(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  expect(value.IsBoolean(), key, "a boolean", value);
  return value.As<Napi::Boolean>().Value();
}

std::uint64_t unsigned_bigint_in(const Napi::Object& object, const char* key) {
  return unsigned_bigint_of(object.Get(key), key);
}

Napi::Object object_in(const Napi::Object& object, const char* key) { return object_of(object.Get(key), key); }

}  // namespace pd
