#include "transfer/net/shm_door.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "transfer/net/pass_fd.h"
#include "transfer/net/sockets.h"

namespace pd {
namespace {

std::string path_in(const std::string& folder, Incarnation incarnation) {
  char name[32];
  std::snprintf(name, sizeof name, "kv-%016llx.sock", static_cast<unsigned long long>(incarnation));
  return (std::filesystem::absolute(folder) / name).string();
}

Fd listen_unix(const std::string& path) {
  const std::optional<sockaddr_un> address = unix_address(path);
  if (!address) {
    errno = ENAMETOOLONG;
    throw last_error("the socket path '" + path + "' has " + std::to_string(path.size()) + " bytes, at most 107");
  }
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) throw last_error("no Unix socket for the offer of shared memory");
  // Before bind: the file is made with the socket's mode, so it is never open to others.
  fchmod(socket.get(), S_IRUSR | S_IWUSR);
  constexpr int backlog = 64;
  if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
      listen(socket.get(), backlog) != 0) {
    throw last_error("the Unix socket '" + path + "' for shared memory cannot be opened");
  }
  return socket;
}

}  // namespace

ShmDoor::ShmDoor(Poller& poller, const std::string& folder, Incarnation incarnation, int memory, Nanos visit_limit)
    : poller_(poller),
      path_(path_in(folder, incarnation)),
      memory_(memory),
      visit_limit_(visit_limit),
      listener_(listen_unix(path_)) {
  poller_.add(listener_, EPOLLIN, *this);
}

ShmDoor::~ShmDoor() { unlink(path_.c_str()); }

void ShmDoor::ready(std::uint32_t) {
  Fd socket(accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket) return;
  if (std::ranges::count_if(visitors_, [](const auto& visitor) { return bool(visitor->socket); }) >=
      static_cast<std::ptrdiff_t>(visitors_max)) {
    return;  // the owner of this account floods itself
  }
  visitors_.push_back(std::make_unique<Visitor>(*this, std::move(socket), monotonic_now() + visit_limit_));
  poller_.add(visitors_.back()->socket, EPOLLIN, *visitors_.back());
}

void ShmDoor::Visitor::ready(std::uint32_t) {
  if (!socket) return;
  std::uint8_t bytes[sizeof(Digest)];
  const ssize_t count = recv(socket.get(), bytes, sizeof(Digest) - nonce.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return door.dismiss(*this);
  nonce.insert(nonce.end(), bytes, bytes + count);
  if (nonce.size() < sizeof(Digest)) return;
  door.serve(*this);
  door.dismiss(*this);
}

void ShmDoor::serve(Visitor& visitor) {
  Digest nonce;
  std::ranges::copy(visitor.nonce, nonce.begin());
  const auto offer = offers_.find(nonce);
  if (offer == offers_.end()) return;
  ShmOfferer& offerer = *offer->second;
  offers_.erase(offer);  // a nonce opens once

  ucred credentials{};
  socklen_t bytes = sizeof credentials;
  if (getsockopt(visitor.socket.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &bytes) != 0) {
    return offerer.not_handed_over("the decode engine's user cannot be seen: " + error_words());
  }
  if (credentials.uid != geteuid()) {
    return offerer.not_handed_over("the decode engine runs as user " + std::to_string(credentials.uid) +
                                   ", this prefill engine as " + std::to_string(geteuid()));
  }
  // Whether it is still that process is seen later: it must say over its connection that it has the memory.
  Fd pidfd(static_cast<int>(syscall(SYS_pidfd_open, credentials.pid, 0)));
  if (!pidfd) {
    return offerer.not_handed_over("the decode engine's process " + std::to_string(credentials.pid) +
                                   " cannot be watched from here: " + error_words());
  }
  if (!pass_fd(visitor.socket, memory_)) {
    return offerer.not_handed_over("the memory could not be handed over: " + error_words());
  }
  offerer.handed_over(std::move(pidfd));
}

void ShmDoor::dismiss(Visitor& visitor) {
  poller_.remove(visitor.socket);
  visitor.socket.reset();
}

void ShmDoor::sweep(Nanos now) {
  for (const auto& visitor : visitors_) {
    if (visitor->socket && visitor->until <= now) dismiss(*visitor);
  }
  std::erase_if(visitors_, [](const auto& visitor) { return !visitor->socket; });
}

std::optional<Nanos> ShmDoor::deadline() const {
  if (visitors_.empty()) return std::nullopt;
  return visitors_.front()->until;  // the oldest is in front
}

}  // namespace pd
