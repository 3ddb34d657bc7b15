#pragma once
// Sockets as this folder wants them: non-blocking, closed on exec, without delay.

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include "transfer/net/fd.h"

namespace pd {

std::system_error last_error(const std::string& words);  // of errno
std::string error_words();                               // of errno, for people

struct Address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;
  std::string words() const;  // "127.0.0.1:41234", "[::1]:41234"
};

std::string place_words(const std::string& host, std::uint16_t port);  // the same of what somebody asked for

// Only what needs no name server: numbers and "localhost". Anything else is none.
std::optional<Address> numeric_address(const std::string& host, std::uint16_t port);

Fd listen_tcp(const std::string& host, std::uint16_t port);  // throws std::system_error
std::uint16_t port_of(const Fd& socket);

// Under way or already there: writable once it is decided. None: errno says why.
std::optional<Fd> begin_connect(const Address& address);
int connect_error(const Fd& socket);  // 0 when it is connected

struct Accepted {
  Fd socket;
  std::string name;
};
std::optional<Accepted> accept_tcp(const Fd& listener);

}  // namespace pd
