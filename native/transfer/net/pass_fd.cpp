#include "transfer/net/pass_fd.h"

#include <cerrno>
#include <cstring>

namespace pd {
namespace {

// Room for one descriptor: the kernel closes a second one that somebody sends.
struct Message {
  char byte = 'm';  // descriptors travel with data, never alone
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};

  Message() {
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = CMSG_LEN(sizeof(int));
  }
};

}  // namespace

std::optional<sockaddr_un> unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

bool pass_fd(const Fd& socket, int passed) {
  Message message;
  cmsghdr* control = CMSG_FIRSTHDR(&message.header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof passed);
  std::memcpy(CMSG_DATA(control), &passed, sizeof passed);
  return sendmsg(socket.get(), &message.header, MSG_NOSIGNAL) == 1;
}

std::optional<Fd> receive_fd(const Fd& socket) {
  Message message;
  const ssize_t count = recvmsg(socket.get(), &message.header, MSG_CMSG_CLOEXEC);
  if (count < 0) return std::nullopt;
  const cmsghdr* control = CMSG_FIRSTHDR(&message.header);
  if (count == 0 || control == nullptr || control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS ||
      control->cmsg_len != CMSG_LEN(sizeof(int))) {
    errno = EPROTO;  // closed, or something else was sent
    return std::nullopt;
  }
  int received = 0;
  std::memcpy(&received, CMSG_DATA(control), sizeof received);
  return Fd(received);
}

}  // namespace pd
