#include "transfer/net/session.h"

#include <array>
#include <cerrno>

#include "transfer/net/nonce.h"
#include "transfer/net/sockets.h"

namespace pd {
namespace {

// How long a refused side may take to read why.
constexpr Nanos leave_limit = nanos_per_second;

Handshake handshake_of(Sender side, const NetworkOptions& options) {
  Hello hello;
  hello.incarnation = options.incarnation;
  hello.fingerprint = options.fingerprint;
  hello.fingerprint_words = options.fingerprint_words;
  hello.backends.emplace_back("shm");
  return Handshake({.side = side, .hello = std::move(hello), .secret = options.secret, .nonce = random_nonce()});
}

const char* other_side(Sender side) { return side == Sender::prefill ? "decode" : "prefill"; }

}  // namespace

Session::Session(const SessionParts& parts, Fd accepted, std::string name)
    : parts_(parts),
      side_(Sender::prefill),
      stage_(Stage::proving),
      deadline_(monotonic_now() + parts.options.connect_limit),
      link_(std::make_shared<Link>(std::move(accepted), std::move(name), parts.poller)),
      interest_(EPOLLIN),
      handshake_(handshake_of(side_, parts.options)) {
  parts_.poller.add(link_->socket(), interest_, *this);
}

Session::Session(const SessionParts& parts, Fd connecting, const std::string& host, std::uint16_t port)
    : parts_(parts),
      side_(Sender::decode),
      host_(host),
      port_(port),
      stage_(Stage::connecting),
      deadline_(monotonic_now() + parts.options.connect_limit),
      link_(std::make_shared<Link>(std::move(connecting), place_words(host, port), parts.poller)),
      interest_(EPOLLOUT),
      handshake_(handshake_of(side_, parts.options)) {
  parts_.poller.add(link_->socket(), interest_, *this);
}

Session::~Session() {
  if (open()) link_->flush();  // what the loop said last
  close();
}

void Session::ready(std::uint32_t events) {
  if (stage_ == Stage::closed) return;
  if (stage_ == Stage::connecting) return connected();
  if ((events & EPOLLOUT) != 0) link_->flush();
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) read();
}

void Session::tend(Nanos now, bool hold) {
  if (stage_ == Stage::closed) return;
  if (const std::optional<std::string> broken = link_->broken()) return end(*broken);
  if (deadline_ && *deadline_ <= now) {
    const std::string limit = std::to_string(parts_.options.connect_limit / nanos_per_ms) + " ms";
    return end(stage_ == Stage::connecting ? "did not answer within " + limit : "the handshake took over " + limit);
  }
  if (stage_ == Stage::connecting) return;
  const bool reads = !(hold && open());
  const std::uint32_t interest = (reads ? EPOLLIN : 0u) | (link_->backlog() ? EPOLLOUT : 0u);
  if (interest == interest_) return;
  interest_ = interest;
  parts_.poller.change(link_->socket(), interest_, *this);
}

void Session::connected() {
  if (const int error = connect_error(link_->socket())) {
    errno = error;
    return end("cannot be reached: " + error_words());
  }
  stage_ = Stage::proving;
  step(handshake_.begin());
}

void Session::read() {
  std::array<std::uint8_t, 64 << 10> bytes;
  const ssize_t count = recv(link_->socket().get(), bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count < 0) return end("broke off: " + error_words());
  if (count == 0) return end("closed the connection");
  if (stage_ == Stage::leaving) return;
  reader_.append({bytes.data(), static_cast<std::size_t>(count)});
  while (const std::optional<std::span<const std::uint8_t>> payload = reader_.next()) {
    take(*payload);
    if (stage_ == Stage::leaving || stage_ == Stage::closed) return;
  }
  if (const std::optional<std::uint32_t> length = reader_.bad_length()) {
    hostile("sent a frame of " + std::to_string(*length) + " bytes");
  }
}

void Session::take(std::span<const std::uint8_t> payload) {
  if (open()) {
    std::variant<Received, Malformed> decoded = decode(payload);
    if (const Malformed* malformed = std::get_if<Malformed>(&decoded)) return hostile("sent a " + malformed->words);
    take_frame(std::move(std::get<Received>(decoded)));
  } else {
    const std::variant<ReceivedHandshake, Malformed> decoded = decode_handshake(payload);
    if (const Malformed* malformed = std::get_if<Malformed>(&decoded)) return hostile("sent a " + malformed->words);
    take_handshake(std::get<ReceivedHandshake>(decoded));
  }
}

void Session::take_handshake(const ReceivedHandshake& received) {
  const Incarnations own = handshake_.incarnations();
  const bool hello = std::holds_alternative<Hello>(received.frame);
  if (!hello && received.incarnations != Incarnations{.from = own.to, .to = own.from}) {
    ++parts_.counters.frames_stale;
    return;
  }
  if (stage_ == Stage::proving) return step(handshake_.take(received.frame));
  if (const Refusal* refusal = std::get_if<Refusal>(&received.frame)) {
    return end(FailureCode::peer_refused, "refused: " + refusal->words);
  }
  if (const ShmOffer* offer = std::get_if<ShmOffer>(&received.frame); offer && side_ == Sender::decode && !visit_) {
    return visit(*offer);
  }
  if (std::holds_alternative<ShmMapped>(received.frame) && pidfd_) {
    // A connection of the same process that is still here is an older one: it has lost its other end.
    if (Session* older = parts_.open_session_of(peer())) older->end("has connected anew");
    parts_.processes.watch(peer(), std::move(pidfd_));
    return opened();
  }
  hostile("sent a frame of the handshake out of turn");
}

void Session::take_frame(Received received) {
  const Incarnations own = handshake_.incarnations();
  const bool prefill = side_ == Sender::prefill;
  const Incarnation ours = own.from, theirs = own.to;
  if (!may_send(prefill ? Sender::decode : Sender::prefill, received.frame)) {
    return hostile("sent a frame that only this side sends");
  }
  if (received.incarnations != Incarnations{.from = theirs, .to = ours} ||
      !concerns(received.frame, prefill ? ours : theirs, prefill ? theirs : ours)) {
    ++parts_.counters.frames_stale;
    return;
  }
  parts_.events.push(LinkFrame{link_, std::move(received.frame)});
}

void Session::step(const Handshake::Step& step) {
  link_->identify(handshake_.incarnations());
  for (const HandshakeFrame& answer : step.answers) say(answer);
  switch (step.verdict) {
    case Handshake::Verdict::going: return;
    case Handshake::Verdict::refused: return refuse(step.words);
    case Handshake::Verdict::proven: break;
  }
  if (side_ == Sender::prefill) return offer_memory();
  if (const Session* same = parts_.open_session_of(peer())) {
    return refuse("it is connected already as " + same->name() + ": use one name for it");
  }
  stage_ = Stage::mapping;
}

void Session::say(const HandshakeFrame& frame) { link_->write(encode_handshake(frame, handshake_.incarnations())); }

void Session::opened() {
  stage_ = Stage::open;
  deadline_.reset();
  reader_.allow(frame_bytes_max);
  ++parts_.counters.links_opened;
  parts_.events.push(LinkOpened{link_, host_, port_});
}

void Session::hostile(const std::string& words) {
  ++parts_.counters.frames_hostile;
  end(FailureCode::peer_refused, words);
}

void Session::refuse(const std::string& words) {
  account(FailureCode::peer_refused, words);
  if (side_ == Sender::decode) return close();
  say(Refusal{words});
  shutdown(link_->socket().get(), SHUT_WR);
  stage_ = Stage::leaving;  // a close now could take the words away from under the other side
  deadline_ = monotonic_now() + leave_limit;
}

void Session::end(FailureCode code, const std::string& why) {
  if (stage_ == Stage::closed) return;
  if (stage_ != Stage::leaving) account(code, why);
  close();
}

void Session::account(FailureCode code, const std::string& why) {
  const std::string words = std::string("the ") + other_side(side_) + " engine at " + name() + ": " + why;
  if (open()) {
    if (side_ == Sender::decode) parts_.regions.on_region_lost(peer());
    ++parts_.counters.links_closed;
    parts_.events.push(LinkClosed{link_, words});
    return;
  }
  ++parts_.counters.handshakes_refused;
  if (side_ == Sender::prefill) return parts_.events.nudge();
  parts_.events.push(LinkRefused{host_, port_, Failure{code, words}});
}

void Session::close() {
  if (stage_ == Stage::closed) return;
  stage_ = Stage::closed;
  deadline_.reset();
  if (offered_) parts_.door->withdraw(*offered_);
  if (visit_) visit_->leave();
  parts_.poller.remove(link_->socket());
  link_->close();
}

}  // namespace pd
