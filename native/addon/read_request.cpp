#include "addon/read_request.h"

#include "addon/checked.h"

namespace pd {
namespace {

std::vector<TokenId> read_prompt(const Napi::Object& request) {
  const Napi::Value value = request.Get("prompt");
  const bool right = value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_int32_array;
  if (!right || value.As<Napi::Int32Array>().ElementLength() == 0)
    throw Napi::TypeError::New(request.Env(), "prompt: expected an Int32Array of at least one token");
  const auto tokens = value.As<Napi::Int32Array>();
  return {tokens.Data(), tokens.Data() + tokens.ElementLength()};
}

std::optional<Bootstrap> read_bootstrap(const Napi::Object& request) {
  const Napi::Value value = request.Get("bootstrap");
  if (value.IsUndefined()) return std::nullopt;
  const Napi::Object from = object_of(value, "bootstrap");
  return Bootstrap{.host = text_in(from, "host"),
                   .port = static_cast<std::uint16_t>(number_in(from, "port")),
                   .room = unsigned_bigint_in(from, "room")};
}

}  // namespace

Request read_request(const Napi::Object& from) {
  Request request;
  request.id = text_in(from, "id");
  request.prompt = read_prompt(from);
  request.tokens_max = static_cast<std::uint32_t>(number_in(from, "tokensMax"));
  request.sampling.temperature = static_cast<float>(number_in(from, "temperature"));
  request.sampling.seed = unsigned_bigint_in(from, "seed");
  request.stops_at_end = flag_in(from, "stopsAtEnd");
  request.bootstrap = read_bootstrap(from);
  return request;
}

}  // namespace pd
