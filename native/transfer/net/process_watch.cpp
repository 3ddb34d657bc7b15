#include "transfer/net/process_watch.h"

namespace pd {

void ProcessWatch::watch(Incarnation incarnation, Fd pidfd) {
  const auto [at, added] = watched_.try_emplace(incarnation);
  if (!added) return;
  at->second = std::make_unique<Process>(*this, incarnation, std::move(pidfd));
  poller_.add(at->second->pidfd, EPOLLIN, *at->second);
}

void ProcessWatch::sweep() {
  std::erase_if(watched_, [](const auto& entry) { return entry.second->gone; });
}

void ProcessWatch::Process::ready(std::uint32_t) {
  if (gone) return;
  gone = true;
  owner.poller_.remove(pidfd);
  owner.events_.push(ProcessGone{incarnation});
}

}  // namespace pd
