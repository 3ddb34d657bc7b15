#pragma once
// A prefill and a decode engine in this process, over real sockets and shared memory.

#include <memory>
#include <string>

#include "engine/support/probe.h"
#include "engine/support/tiny_engine.h"

namespace pd {

class Pair {
 public:
  Pair(const EngineOptions& prefill, const EngineOptions& decode)
      : prefill_(prefill), decode_(decode), port_(prefill_->bootstrap_port()) {}

  Probe& prefill() { return prefill_; }
  Probe& decode() { return decode_; }

  // Both legs, as a router sends them; no leg may be refused.
  void ask(Request request, Room room) {
    request.bootstrap = Bootstrap{.host = "127.0.0.1", .port = port_, .room = room};
    for (Probe* leg : {&prefill_, &decode_})
      if (const std::optional<Failure> refused = (*leg)->submit(request)) throw std::runtime_error(refused->words);
  }

  bool comes_to_rest() {
    return eventually([&] { return at_rest(prefill_->state()) && at_rest(decode_->state()); });
  }

 private:
  Probe prefill_, decode_;
  std::uint16_t port_;
};

}  // namespace pd
