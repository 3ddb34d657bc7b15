#pragma once
// Prefill: hands the memory of the pool to a process of the same user that brings the right nonce, over a
// Unix socket that only this user can open.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/hash.h"
#include "transfer/net/poller.h"

namespace pd {

// Who made an offer, and hears what came of it.
class ShmOfferer {
 public:
  virtual ~ShmOfferer() = default;
  virtual void handed_over(Fd pidfd) = 0;  // of the process that has the memory now
  virtual void not_handed_over(std::string words) = 0;
};

class ShmDoor final : public Watcher {
 public:
  // Binds `folder`/kv-<incarnation>.sock. Throws std::system_error.
  ShmDoor(Poller& poller, const std::string& folder, Incarnation incarnation, int memory, Nanos visit_limit);
  ~ShmDoor() override;  // removes the socket

  const std::string& path() const { return path_; }
  void offer(const Digest& nonce, ShmOfferer& offerer) { offers_[nonce] = &offerer; }
  void withdraw(const Digest& nonce) { offers_.erase(nonce); }

  void ready(std::uint32_t events) override;
  void sweep(Nanos now);  // between two rounds of the poller
  std::optional<Nanos> deadline() const;

 private:
  static constexpr std::size_t visitors_max = 64;

  // Connected, and has not yet sent its whole nonce.
  struct Visitor final : Watcher {
    Visitor(ShmDoor& door, Fd socket, Nanos until) : door(door), socket(std::move(socket)), until(until) {}
    void ready(std::uint32_t events) override;

    ShmDoor& door;
    Fd socket;
    Nanos until;
    std::vector<std::uint8_t> nonce;
  };

  void serve(Visitor& visitor);
  void dismiss(Visitor& visitor);

  Poller& poller_;
  const std::string path_;
  const int memory_;
  const Nanos visit_limit_;
  Fd listener_;
  std::vector<std::unique_ptr<Visitor>> visitors_;
  std::map<Digest, ShmOfferer*> offers_;
};

}  // namespace pd
