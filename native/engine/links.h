#pragma once
// The open connections to other engines. A peer lives from its LinkOpened until the LinkClosed has been handled.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/record.h"
#include "transfer/counters.h"
#include "transfer/network.h"

namespace pd {

class Links {
 public:
  explicit Links(std::unique_ptr<Network> network) : network_(std::move(network)), port_(network_->port()) {}

  std::uint16_t port() const { return port_; }  // any thread
  void dial(const std::string& host, std::uint16_t port) { network_->dial(host, port); }
  std::vector<NetworkEvent> poll();  // the events themselves keep a closed peer until they are handled
  void describe(EngineState& state, const TransferCounters& transfers) const;
  void close() { network_.reset(); }  // the last call: ports and sockets are free after it

 private:
  std::unique_ptr<Network> network_;
  std::uint16_t port_;
  std::unordered_map<const Peer*, std::shared_ptr<Peer>> open_;
};

}  // namespace pd
