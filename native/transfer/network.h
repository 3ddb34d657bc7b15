#pragma once
// Connections between engines: sockets, the handshake and the shared memory that it offers, on one I/O
// thread of its own. What happens is put into a queue that the loop empties with poll(); `wake` is
// called (from the I/O thread) when there is something to poll.

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/failure.h"
#include "core/hash.h"
#include "kv/region.h"
#include "transfer/peer.h"

namespace pd {

struct LinkOpened {
  std::shared_ptr<Peer> peer;
  std::string host;
  std::uint16_t port = 0;
};  // host and port as asked; empty on P
struct LinkFrame {
  std::shared_ptr<Peer> peer;
  Frame frame;
};
struct LinkClosed {
  std::shared_ptr<Peer> peer;
  std::string why;
};
struct LinkRefused {
  std::string host;
  std::uint16_t port = 0;
  Failure why;
};  // an asked connection did not come to be
struct ProcessGone { Incarnation incarnation = 0; };  // by pidfd, same host only
using NetworkEvent = std::variant<LinkOpened, LinkFrame, LinkClosed, LinkRefused, ProcessGone>;

struct NetworkCounters {  // for /metrics
  std::uint64_t links_opened = 0, links_closed = 0, handshakes_refused = 0, frames_hostile = 0, frames_stale = 0;
};

struct NetworkOptions {
  std::string listen_host = "127.0.0.1";  // prefill only
  std::uint16_t listen_port = 0;          // prefill: 0 picks one
  bool listens = false;
  Incarnation incarnation = 0;
  Digest fingerprint{};
  std::string fingerprint_words;
  std::vector<std::uint8_t> secret;            // of the fleet
  Nanos connect_limit = 5 * nanos_per_second;  // dial and handshake together
  std::string socket_dir;                      // 0700: where the Unix socket of the shm offer lies (prefill)
};

class Network {
 public:
  // Prefill: `region` is offered to peers that prove the secret. Decode: each opened link has brought the
  // peer's region, given to `on_region` (I/O thread) before LinkOpened is queued; `on_region_lost` (I/O
  // thread, never blocks) is called before LinkClosed is queued.
  struct Regions {
    Region& own;
    std::function<void(Incarnation, std::unique_ptr<const Region>)> on_region;
    std::function<void(Incarnation)> on_region_lost;
  };
  // Throws std::system_error, e.g. when the port is in use.
  static std::unique_ptr<Network> start(const NetworkOptions& options, const Regions& regions,
                                        std::function<void()> wake);
  virtual ~Network() = default;  // closes everything and joins the thread

  virtual std::uint16_t port() const = 0;  // prefill: where it listens
  virtual void dial(const std::string& host,
                    std::uint16_t port) = 0;  // one attempt; idempotent while one is open or under way
  virtual std::vector<NetworkEvent> poll() = 0;
  virtual NetworkCounters counters() const = 0;
};

}  // namespace pd
