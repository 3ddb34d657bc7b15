#pragma once
// One TCP connection with its outbox. The loop sends, the network's thread flushes what the socket did not
// take at once. Whoever still has the Peer after the end may send on: nothing happens.

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transfer/net/poller.h"
#include "transfer/peer.h"
#include "transfer/wire.h"

namespace pd {

class Link final : public Peer {
 public:
  Link(Fd socket, std::string name, const Poller& poller);

  Incarnation incarnation() const override { return incarnations_.to; }
  const std::string& name() const override { return name_; }
  void send(Frame frame) override;

  // The rest is for the network's thread.
  void identify(const Incarnations& incarnations) { incarnations_ = incarnations; }  // before anybody else has it
  void write(std::span<const std::uint8_t> bytes);
  void flush();
  bool backlog() const;                       // wants to know when the socket is writable
  std::optional<std::string> broken() const;  // why it must be closed
  const Fd& socket() const { return socket_; }
  void close();

 private:
  static constexpr std::size_t outbox_bytes_max = 8 << 20;

  void write_locked(std::span<const std::uint8_t> bytes);
  void flush_locked();

  const std::string name_;
  Incarnations incarnations_;
  const Poller& poller_;  // not touched once closed: the link may outlive it

  mutable std::mutex mutex_;
  Fd socket_;  // closed under the mutex, so that no sender writes into another's descriptor
  std::vector<std::uint8_t> outbox_;
  std::optional<std::string> broken_;
};

}  // namespace pd
