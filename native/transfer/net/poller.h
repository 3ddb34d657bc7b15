#pragma once
// Waits for many descriptors at once (epoll), and can be woken from any thread (eventfd). All else is
// for the thread that waits.

#include <sys/epoll.h>

#include <cstdint>
#include <optional>

#include "core/ids.h"
#include "transfer/net/fd.h"

namespace pd {

Nanos monotonic_now();

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void ready(std::uint32_t events) = 0;
};

class Poller {
 public:
  Poller();  // throws std::system_error
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  void add(const Fd& fd, std::uint32_t events, Watcher& watcher);
  void change(const Fd& fd, std::uint32_t events, Watcher& watcher);
  void remove(const Fd& fd);

  // Calls ready() of each whose descriptor is. A watcher must live until the call has returned, even
  // when it was removed meanwhile. No limit: until something happens.
  void wait(std::optional<Nanos> until);
  void wake() const;  // any thread

 private:
  void control(int operation, const Fd& fd, std::uint32_t events, Watcher* watcher);

  Fd epoll_;
  Fd woken_;
};

}  // namespace pd
