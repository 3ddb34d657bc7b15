#pragma once
// Knows when a peer's process on this host is gone, by its pidfd: also after its connection was closed.

#include <map>
#include <memory>
#include <vector>

#include "transfer/net/event_queue.h"
#include "transfer/net/poller.h"

namespace pd {

class ProcessWatch {
 public:
  ProcessWatch(Poller& poller, EventQueue& events) : poller_(poller), events_(events) {}

  // A process that is watched already under this incarnation stays so: an incarnation is one process.
  void watch(Incarnation incarnation, Fd pidfd);
  void sweep();  // between two rounds of the poller
  std::size_t size() const { return watched_.size(); }

 private:
  struct Process final : Watcher {
    Process(ProcessWatch& owner, Incarnation incarnation, Fd pidfd)
        : owner(owner), incarnation(incarnation), pidfd(std::move(pidfd)) {}
    void ready(std::uint32_t events) override;

    ProcessWatch& owner;
    Incarnation incarnation;
    Fd pidfd;
    bool gone = false;
  };

  Poller& poller_;
  EventQueue& events_;
  std::map<Incarnation, std::unique_ptr<Process>> watched_;
};

}  // namespace pd
