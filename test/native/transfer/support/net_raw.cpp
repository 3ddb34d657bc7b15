#include "transfer/support/net_raw.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <stdexcept>

#include "transfer/net/pass_fd.h"
#include "transfer/net/sockets.h"

namespace pd {
namespace {

Fd connected(std::uint16_t port) {
  std::optional<Fd> socket = begin_connect(*numeric_address("127.0.0.1", port));
  if (!socket) throw std::runtime_error("cannot connect: " + error_words());
  return std::move(*socket);
}

void make_blocking(const Fd& socket) {
  fcntl(socket.get(), F_SETFL, fcntl(socket.get(), F_GETFL) & ~O_NONBLOCK);
  const timeval patience{.tv_sec = 60, .tv_usec = 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

}  // namespace

NetRaw::NetRaw(std::uint16_t port) : NetRaw(connected(port)) {}

NetRaw::NetRaw(Fd accepted) : socket_(std::move(accepted)) { make_blocking(socket_); }

bool NetRaw::send(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::optional<std::vector<std::uint8_t>> NetRaw::payload() {
  while (true) {
    if (const auto whole = reader_.next()) return std::vector<std::uint8_t>(whole->begin(), whole->end());
    std::array<std::uint8_t, 4096> bytes;
    const ssize_t count = recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (count <= 0) return std::nullopt;
    reader_.append({bytes.data(), static_cast<std::size_t>(count)});
  }
}

std::optional<HandshakeFrame> NetRaw::hear() {
  const std::optional<std::vector<std::uint8_t>> heard = payload();
  if (!heard) return std::nullopt;
  const std::variant<ReceivedHandshake, Malformed> decoded = decode_handshake(*heard);
  if (const ReceivedHandshake* received = std::get_if<ReceivedHandshake>(&decoded)) return received->frame;
  return std::nullopt;
}

bool NetRaw::closed() {
  std::array<std::uint8_t, 4096> bytes;
  while (true) {
    const ssize_t count = recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (count == 0) return true;
    if (count < 0) return errno == ECONNRESET;
  }
}

NetRawListener::NetRawListener() : listener_(listen_tcp("127.0.0.1", 0)) { make_blocking(listener_); }

std::uint16_t NetRawListener::port() const { return port_of(listener_); }

NetRaw NetRawListener::accept() {
  std::optional<Accepted> accepted = accept_tcp(listener_);
  if (!accepted) throw std::runtime_error("nobody connected");
  return NetRaw(std::move(accepted->socket));
}

Hello net_hello(Incarnation incarnation) {
  Hello hello;
  hello.incarnation = incarnation;
  hello.fingerprint = Digest{7};
  hello.fingerprint_words = "model 7";
  hello.backends.emplace_back("shm");
  return hello;
}

NetRawDecode::NetRawDecode(std::uint16_t port, Incarnation incarnation, const std::vector<std::uint8_t>& secret)
    : raw(port), incarnation(incarnation) {
  Handshake handshake({.side = Sender::decode, .hello = net_hello(incarnation), .secret = secret, .nonce = Digest{77}});
  Handshake::Step step = handshake.begin();
  while (step.verdict == Handshake::Verdict::going) {
    for (const HandshakeFrame& answer : step.answers) raw.say(answer, handshake.incarnations());
    const std::optional<HandshakeFrame> frame = raw.hear();
    if (!frame) return;
    step = handshake.take(*frame);
  }
  prefill = handshake.incarnations().to;
  if (step.verdict != Handshake::Verdict::proven) return;
  const std::optional<HandshakeFrame> frame = raw.hear();
  if (frame && std::holds_alternative<ShmOffer>(*frame)) offer = std::get<ShmOffer>(*frame);
}

bool NetRawDecode::fetch_memory() {
  if (!offer) return false;
  const std::optional<sockaddr_un> address = unix_address(offer->path);
  const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  make_blocking(socket);
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) return false;
  ::send(socket.get(), offer->nonce.data(), offer->nonce.size(), MSG_NOSIGNAL);
  return receive_fd(socket).has_value() && raw.say(ShmMapped{}, {incarnation, prefill});
}

}  // namespace pd
