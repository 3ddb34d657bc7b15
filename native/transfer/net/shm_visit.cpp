#include "transfer/net/shm_visit.h"

#include <cerrno>

#include "transfer/net/pass_fd.h"
#include "transfer/net/sockets.h"

namespace pd {

std::optional<std::string> ShmVisit::begin(const std::string& path, const Digest& nonce) {
  const std::optional<sockaddr_un> address = unix_address(path);
  if (!address) return "the prefill engine offered a socket path that cannot be one: '" + path + "'";
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return "no Unix socket: " + error_words();
  // A Unix socket connects at once or not at all.
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
      send(socket.get(), nonce.data(), nonce.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(nonce.size())) {
    return "the prefill engine's socket '" + path + "' for shared memory cannot be reached: " + error_words() +
           "; both engines must run on one host as the same user";
  }
  socket_ = std::move(socket);
  poller_.add(socket_, EPOLLIN, *this);
  return std::nullopt;
}

void ShmVisit::leave() {
  if (!socket_) return;
  poller_.remove(socket_);
  socket_.reset();
}

void ShmVisit::ready(std::uint32_t) {
  if (!socket_) return;
  std::optional<Fd> memory = receive_fd(socket_);
  if (!memory && (errno == EAGAIN || errno == EINTR)) return;
  leave();
  done_(std::move(memory));
}

}  // namespace pd
