#include "engine/network_options.h"

namespace pd {

NetworkOptions network_options(const SideParts& parts) {
  NetworkOptions options;
  options.listen_host = parts.options.bootstrap_host;
  options.listen_port = parts.options.bootstrap_port;
  options.incarnation = parts.incarnation;
  options.fingerprint = parts.model.fingerprint();
  options.fingerprint_words = parts.model.fingerprint_words();
  options.secret = parts.options.secret;
  options.connect_limit = parts.options.connect_ms * nanos_per_ms;
  options.socket_dir = parts.options.socket_dir;
  return options;
}

std::uint64_t kv_bytes(const KvLayout& layout, std::uint32_t prompt_tokens) {
  return std::uint64_t{layout.layers} * layout.token_bytes() * prompt_tokens;
}

}  // namespace pd
