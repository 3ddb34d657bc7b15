#pragma once
// A descriptor over a Unix socket (SCM_RIGHTS), and the address of such a socket.

#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <string>

#include "transfer/net/fd.h"

namespace pd {

std::optional<sockaddr_un> unix_address(const std::string& path);  // none: empty or too long

bool pass_fd(const Fd& socket, int passed);  // false: errno says why
// Exactly one descriptor, else none: errno says why.
std::optional<Fd> receive_fd(const Fd& socket);

}  // namespace pd
