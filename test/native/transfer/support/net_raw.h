#pragma once
// Sockets by hand, for peers that do not behave.

#include <optional>
#include <string>
#include <vector>

#include "transfer/net/fd.h"
#include "transfer/net/framing.h"
#include "transfer/net/handshake.h"

namespace pd {

// One TCP connection, blocking, with a generous limit on every read.
class NetRaw {
 public:
  explicit NetRaw(std::uint16_t port);  // connects to 127.0.0.1
  explicit NetRaw(Fd accepted);

  bool send(std::span<const std::uint8_t> bytes);  // false: the other side is gone
  bool say(const HandshakeFrame& frame, const Incarnations& incarnations = {}) {
    return send(encode_handshake(frame, incarnations));
  }
  std::optional<std::vector<std::uint8_t>> payload();  // none: closed
  std::optional<HandshakeFrame> hear();                // the next frame of the handshake
  bool closed();                                       // waits for it; drops what comes before
  void close() { socket_.reset(); }

 private:
  Fd socket_;
  FrameReader reader_{frame_bytes_max};
};

// The listening side of it.
class NetRawListener {
 public:
  NetRawListener();
  std::uint16_t port() const;
  NetRaw accept();

 private:
  Fd listener_;
};

// A decode engine by hand, up to an open link: it knows the secret and fetches the memory.
struct NetRawDecode {
  NetRawDecode(std::uint16_t port, Incarnation incarnation, const std::vector<std::uint8_t>& secret);
  bool fetch_memory();  // takes the offer
  bool send(const Frame& frame) { return raw.send(encode(frame, {incarnation, prefill})); }

  NetRaw raw;
  Incarnation incarnation, prefill = 0;
  std::optional<ShmOffer> offer;  // none: the handshake failed
};

Hello net_hello(Incarnation incarnation);

}  // namespace pd
