#pragma once
// One connection's life: connect, handshake, the memory's hand-over, then frames, until one side ends it.
// All of it on the network's thread.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "transfer/net/counters.h"
#include "transfer/net/event_queue.h"
#include "transfer/net/framing.h"
#include "transfer/net/handshake.h"
#include "transfer/net/link.h"
#include "transfer/net/process_watch.h"
#include "transfer/net/shm_door.h"
#include "transfer/net/shm_visit.h"

namespace pd {

class Session;

// What the sessions of one network share.
struct SessionParts {
  const NetworkOptions& options;
  const Network::Regions& regions;
  Poller& poller;
  EventQueue& events;
  Counters& counters;
  ProcessWatch& processes;
  ShmDoor* door;  // prefill only
  std::function<Session*(Incarnation)> open_session_of;
};

class Session final : public Watcher, private ShmOfferer {
 public:
  Session(const SessionParts& parts, Fd accepted, std::string name);                               // prefill
  Session(const SessionParts& parts, Fd connecting, const std::string& host, std::uint16_t port);  // decode
  ~Session() override;

  void ready(std::uint32_t events) override;
  // Before each wait: limits, a broken outbox, and what it wants to know next. `hold`: read no frames now.
  void tend(Nanos now, bool hold);
  void end(const std::string& why) { end(FailureCode::peer_lost, why); }

  bool open() const { return stage_ == Stage::open; }
  bool closed() const { return stage_ == Stage::closed; }
  bool asked_for(const std::string& host, std::uint16_t port) const { return host_ == host && port_ == port; }
  Incarnation peer() const { return link_->incarnation(); }
  const std::string& name() const { return link_->name(); }
  std::optional<Nanos> deadline() const { return deadline_; }

 private:
  enum class Stage { connecting, proving, mapping, open, leaving, closed };

  void connected();
  void read();
  void take(std::span<const std::uint8_t> payload);
  void take_handshake(const ReceivedHandshake& received);
  void take_frame(Received received);
  void step(const Handshake::Step& step);
  void say(const HandshakeFrame& frame);

  void offer_memory();
  void handed_over(Fd pidfd) override;
  void not_handed_over(std::string words) override;
  void visit(const ShmOffer& offer);
  void map(std::optional<Fd> memory, std::uint32_t pages);
  void opened();

  void hostile(const std::string& words);
  void refuse(const std::string& words);
  void end(FailureCode code, const std::string& why);
  void account(FailureCode code, const std::string& why);
  void close();

  const SessionParts& parts_;
  const Sender side_;
  const std::string host_;  // as asked
  const std::uint16_t port_ = 0;
  Stage stage_;
  std::optional<Nanos> deadline_;
  std::shared_ptr<Link> link_;  // shared with the loop, as a Peer
  std::uint32_t interest_;
  FrameReader reader_{handshake_bytes_max};
  Handshake handshake_;
  std::optional<Digest> offered_;  // prefill: the nonce that is out
  Fd pidfd_;                       // prefill: of the process that has the memory
  std::optional<ShmVisit> visit_;  // decode
};

}  // namespace pd
