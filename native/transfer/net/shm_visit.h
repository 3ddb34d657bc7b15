#pragma once
// Decode: goes to the prefill engine's Unix socket with the nonce, and brings back its memory.

#include <functional>
#include <optional>
#include <string>

#include "core/hash.h"
#include "transfer/net/poller.h"

namespace pd {

class ShmVisit final : public Watcher {
 public:
  // Called once, from ready(): the memory, or none.
  using Done = std::function<void(std::optional<Fd>)>;

  ShmVisit(Poller& poller, Done done) : poller_(poller), done_(std::move(done)) {}
  ~ShmVisit() override { leave(); }

  // None: under way. Else why it could not even begin.
  std::optional<std::string> begin(const std::string& path, const Digest& nonce);
  void leave();
  void ready(std::uint32_t events) override;

 private:
  Poller& poller_;
  Done done_;
  Fd socket_;
};

}  // namespace pd
