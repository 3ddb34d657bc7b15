#include "addon/read_options.h"

#include "addon/checked.h"

namespace pd {
namespace {

Role read_role(const Napi::Object& options) {
  const std::string name = text_in(options, "role");
  for (const Role role : {Role::prefill, Role::decode, Role::both})
    if (name == name_of(role)) return role;
  throw Napi::TypeError::New(options.Env(), "role: expected prefill, decode or both, found " + name);
}

std::vector<std::uint8_t> read_secret(const Napi::Object& options) {
  const Napi::Value value = options.Get("secret");
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array)
    throw Napi::TypeError::New(options.Env(), "secret: expected a Uint8Array");
  const auto bytes = value.As<Napi::Uint8Array>();
  return {bytes.Data(), bytes.Data() + bytes.ElementLength()};
}

}  // namespace

EngineOptions read_options(const Napi::Object& from) {
  EngineOptions options;
  options.role = read_role(from);
  options.model_path = text_in(from, "modelPath");
  options.threads = static_cast<std::uint32_t>(number_in(from, "threads"));
  options.pool_bytes = static_cast<std::uint64_t>(number_in(from, "poolBytes"));
  options.context_max = static_cast<std::uint32_t>(number_in(from, "contextMax"));
  options.sequences_max = static_cast<std::uint32_t>(number_in(from, "sequencesMax"));
  options.requests_max = static_cast<std::uint32_t>(number_in(from, "requestsMax"));
  options.scattered_pages = flag_in(from, "scatteredPages");
  options.weights_as_stored = flag_in(from, "weightsAsStored");
  options.allow_faults = flag_in(from, "allowFaults");
  options.bootstrap_host = text_in(from, "bootstrapHost");
  options.bootstrap_port = static_cast<std::uint16_t>(number_in(from, "bootstrapPort"));
  options.socket_dir = text_in(from, "socketDir");
  options.secret = read_secret(from);
  const Napi::Object deadlines = object_in(from, "deadlinesMs");
  options.deadline_bootstrap_ms = static_cast<std::int64_t>(number_in(deadlines, "bootstrap"));
  options.deadline_waiting_ms = static_cast<std::int64_t>(number_in(deadlines, "waiting"));
  options.deadline_inflight_ms = static_cast<std::int64_t>(number_in(deadlines, "inflight"));
  options.deadline_queue_ms = static_cast<std::int64_t>(number_in(deadlines, "queue"));
  options.connect_ms = static_cast<std::int64_t>(number_in(deadlines, "connect"));
  return options;
}

}  // namespace pd
