#include "transfer/net/poller.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "core/check.h"
#include "transfer/net/sockets.h"

namespace pd {
namespace {

int timeout_ms(std::optional<Nanos> until) {
  if (!until) return -1;
  const Nanos left = std::max<Nanos>(*until - monotonic_now(), 0);
  constexpr Nanos longest = 60 * nanos_per_second;
  return static_cast<int>((std::min(left, longest) + nanos_per_ms - 1) / nanos_per_ms);  // up, or it spins
}

}  // namespace

Nanos monotonic_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Poller::Poller() : epoll_(epoll_create1(EPOLL_CLOEXEC)), woken_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!epoll_ || !woken_) throw last_error("no epoll or eventfd for the network thread");
  control(EPOLL_CTL_ADD, woken_, EPOLLIN, nullptr);
}

void Poller::add(const Fd& fd, std::uint32_t events, Watcher& watcher) { control(EPOLL_CTL_ADD, fd, events, &watcher); }

void Poller::change(const Fd& fd, std::uint32_t events, Watcher& watcher) {
  control(EPOLL_CTL_MOD, fd, events, &watcher);
}

void Poller::remove(const Fd& fd) { control(EPOLL_CTL_DEL, fd, 0, nullptr); }

void Poller::control(int operation, const Fd& fd, std::uint32_t events, Watcher* watcher) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = watcher;
  const int result = epoll_ctl(epoll_.get(), operation, fd.get(), &event);
  PD_CHECK(result == 0 || errno == ENOMEM || errno == ENOSPC, "epoll takes each descriptor once");
}

void Poller::wait(std::optional<Nanos> until) {
  std::array<epoll_event, 64> events;
  const int count = epoll_wait(epoll_.get(), events.data(), events.size(), timeout_ms(until));
  for (int i = 0; i < count; ++i) {
    if (Watcher* watcher = static_cast<Watcher*>(events[i].data.ptr)) {
      watcher->ready(events[i].events);
    } else {
      std::uint64_t times = 0;
      static_cast<void>(read(woken_.get(), &times, sizeof times));
    }
  }
}

void Poller::wake() const {
  const std::uint64_t once = 1;
  static_cast<void>(write(woken_.get(), &once, sizeof once));
}

}  // namespace pd
