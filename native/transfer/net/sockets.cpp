#include "transfer/net/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>

namespace pd {
namespace {

void set_option(const Fd& socket, int level, int option) {
  const int on = 1;
  setsockopt(socket.get(), level, option, &on, sizeof on);
}

std::string with_port(std::string host, const std::string& port) {
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return host + ":" + port;
}

sockaddr* generic(Address& address) { return reinterpret_cast<sockaddr*>(&address.storage); }
const sockaddr* generic(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.storage); }

}  // namespace

std::system_error last_error(const std::string& words) { return {errno, std::generic_category(), words}; }

std::string error_words() { return std::generic_category().message(errno); }

std::string Address::words() const {
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  const int flags = NI_NUMERICHOST | NI_NUMERICSERV;
  if (getnameinfo(generic(*this), bytes, host, sizeof host, port, sizeof port, flags) != 0) return "unknown address";
  return with_port(host, port);
}

std::string place_words(const std::string& host, std::uint16_t port) { return with_port(host, std::to_string(port)); }

std::optional<Address> numeric_address(const std::string& host, std::uint16_t port) {
  const std::string number = host == "localhost" ? "127.0.0.1" : host;
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(number.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return std::nullopt;
  Address address;
  std::memcpy(&address.storage, found->ai_addr, found->ai_addrlen);
  address.bytes = found->ai_addrlen;
  freeaddrinfo(found);
  return address;
}

Fd listen_tcp(const std::string& host, std::uint16_t port) {
  const std::optional<Address> address = numeric_address(host, port);
  if (!address) {
    errno = EADDRNOTAVAIL;
    throw last_error("the bootstrap host must be a numeric address or localhost, not '" + host + "'");
  }
  Fd socket(::socket(address->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) throw last_error("no socket for the bootstrap port");
  set_option(socket, SOL_SOCKET, SO_REUSEADDR);  // a restart need not wait for connections of the last run
  constexpr int backlog = 128;
  if (bind(socket.get(), generic(*address), address->bytes) != 0 || listen(socket.get(), backlog) != 0) {
    throw last_error("the bootstrap port " + address->words() + " cannot be opened");
  }
  return socket;
}

std::uint16_t port_of(const Fd& socket) {
  Address address;
  address.bytes = sizeof address.storage;
  if (getsockname(socket.get(), generic(address), &address.bytes) != 0) return 0;
  if (address.storage.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6&>(address.storage).sin6_port);
  return ntohs(reinterpret_cast<sockaddr_in&>(address.storage).sin_port);
}

std::optional<Fd> begin_connect(const Address& address) {
  Fd socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return std::nullopt;
  set_option(socket, IPPROTO_TCP, TCP_NODELAY);
  if (connect(socket.get(), generic(address), address.bytes) != 0 && errno != EINPROGRESS) return std::nullopt;
  return socket;
}

int connect_error(const Fd& socket) {
  int error = 0;
  socklen_t bytes = sizeof error;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &bytes) != 0) return errno;
  return error;
}

std::optional<Accepted> accept_tcp(const Fd& listener) {
  Address address;
  address.bytes = sizeof address.storage;
  Fd socket(accept4(listener.get(), generic(address), &address.bytes, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket) return std::nullopt;
  set_option(socket, IPPROTO_TCP, TCP_NODELAY);
  return Accepted{std::move(socket), address.words()};
}

}  // namespace pd
