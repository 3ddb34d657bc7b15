#include "transfer/network.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>
#include <utility>

#include "transfer/net/session.h"
#include "transfer/net/sockets.h"

namespace pd {
namespace {

constexpr std::size_t unproven_max = 64;
constexpr std::size_t sessions_max = 512;
constexpr std::size_t dials_max = 1024;
// Without descriptors the port stays readable: look again after this time instead of at once.
constexpr Nanos accept_rest = 100 * nanos_per_ms;

class NetworkThread final : public Network, private Watcher {
 public:
  NetworkThread(const NetworkOptions& options, const Regions& regions, std::function<void()> wake);
  ~NetworkThread() override;

  std::uint16_t port() const override { return port_; }
  void dial(const std::string& host, std::uint16_t port) override;
  std::vector<NetworkEvent> poll() override;
  NetworkCounters counters() const override { return counters_.read(); }

 private:
  struct Dial {
    std::string host;
    std::uint16_t port = 0;
  };

  void run();
  void ready(std::uint32_t events) override;
  void make_room();
  void dial_now(const Dial& dial);
  void refuse(const Dial& dial, const std::string& words);
  void tend(Nanos now);
  std::optional<Nanos> deadline() const;
  Session* open_session_of(Incarnation peer) const;

  const NetworkOptions options_;
  const Regions regions_;
  Counters counters_;
  EventQueue events_;
  Poller poller_;
  ProcessWatch processes_;
  std::unique_ptr<ShmDoor> door_;
  SessionParts parts_;
  Fd listener_;
  std::uint16_t port_ = 0;
  std::optional<Nanos> listener_rests_until_;
  std::vector<std::unique_ptr<Session>> sessions_;  // the oldest in front

  std::mutex mutex_;
  std::vector<Dial> dials_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;  // the last: it uses all of the above
};

NetworkThread::NetworkThread(const NetworkOptions& options, const Regions& regions, std::function<void()> wake)
    : options_(options),
      regions_(regions),
      events_(std::move(wake)),
      processes_(poller_, events_),
      door_(options.listens ? std::make_unique<ShmDoor>(poller_, options.socket_dir, options.incarnation,
                                                        regions.own.fd(), options.connect_limit)
                            : nullptr),
      parts_{.options = options_,
             .regions = regions_,
             .poller = poller_,
             .events = events_,
             .counters = counters_,
             .processes = processes_,
             .door = door_.get(),
             .open_session_of = [this](Incarnation peer) { return open_session_of(peer); }} {
  if (options.listens) {
    listener_ = listen_tcp(options.listen_host, options.listen_port);
    port_ = port_of(listener_);
    poller_.add(listener_, EPOLLIN, *this);
  }
  thread_ = std::thread([this] { run(); });
}

NetworkThread::~NetworkThread() {
  stopping_ = true;
  poller_.wake();
  thread_.join();
}

void NetworkThread::dial(const std::string& host, std::uint16_t port) {
  bool room = true;
  {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const Dial& dial) { return dial.host == host && dial.port == port; };
    if (std::ranges::any_of(dials_, same)) return;
    room = dials_.size() < dials_max;
    if (room) dials_.push_back({host, port});
  }
  if (!room) return refuse({host, port}, "too many connections were asked for at once");
  poller_.wake();
}

std::vector<NetworkEvent> NetworkThread::poll() {
  EventQueue::Taken taken = events_.take();
  if (taken.was_full) poller_.wake();
  return std::move(taken.events);
}

void NetworkThread::run() {
  pthread_setname_np(pthread_self(), "pd-network");
  while (!stopping_) {
    std::vector<Dial> dials;
    {
      const std::lock_guard lock(mutex_);
      dials = std::exchange(dials_, {});
    }
    for (const Dial& dial : dials) dial_now(dial);
    tend(monotonic_now());
    poller_.wait(deadline());
  }
  sessions_.clear();
}

// The listener has a connection.
void NetworkThread::ready(std::uint32_t) {
  std::optional<Accepted> accepted = accept_tcp(listener_);
  if (!accepted) {
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
    listener_rests_until_ = monotonic_now() + accept_rest;
    poller_.change(listener_, 0, *this);
    return;
  }
  make_room();
  if (sessions_.size() >= sessions_max) {
    ++counters_.handshakes_refused;
    return;
  }
  sessions_.push_back(std::make_unique<Session>(parts_, std::move(accepted->socket), std::move(accepted->name)));
}

// The oldest that has not proved the secret goes when there are too many of them.
void NetworkThread::make_room() {
  const auto unproven = [](const auto& session) { return !session->open() && !session->closed(); };
  if (std::ranges::count_if(sessions_, unproven) < static_cast<std::ptrdiff_t>(unproven_max)) return;
  (*std::ranges::find_if(sessions_, unproven))->end("made way: too many connections have not proved the secret");
}

void NetworkThread::dial_now(const Dial& dial) {
  const auto same = [&](const auto& session) { return !session->closed() && session->asked_for(dial.host, dial.port); };
  if (std::ranges::any_of(sessions_, same)) return;
  if (sessions_.size() >= sessions_max) {
    return refuse(dial, "there are " + std::to_string(sessions_.size()) + " connections already, and no more are made");
  }
  const std::optional<Address> address = numeric_address(dial.host, dial.port);
  if (!address) return refuse(dial, "not a numeric address and not localhost, as bootstrap_host must be");
  std::optional<Fd> socket = begin_connect(*address);
  if (!socket) return refuse(dial, "cannot be reached: " + error_words());
  sessions_.push_back(std::make_unique<Session>(parts_, std::move(*socket), dial.host, dial.port));
}

void NetworkThread::refuse(const Dial& dial, const std::string& words) {
  events_.push(LinkRefused{
      dial.host,
      dial.port,
      {FailureCode::peer_lost, "the prefill engine at " + place_words(dial.host, dial.port) + ": " + words}});
}

void NetworkThread::tend(Nanos now) {
  if (listener_rests_until_ && *listener_rests_until_ <= now) {
    listener_rests_until_.reset();
    poller_.change(listener_, EPOLLIN, *this);
  }
  const bool hold = events_.full();
  for (const auto& session : sessions_) session->tend(now, hold);
  std::erase_if(sessions_, [](const auto& session) { return session->closed(); });
  processes_.sweep();
  if (door_) door_->sweep(now);
}

std::optional<Nanos> NetworkThread::deadline() const {
  std::optional<Nanos> first = listener_rests_until_;
  const auto consider = [&](std::optional<Nanos> other) {
    if (other && (!first || *other < *first)) first = other;
  };
  if (door_) consider(door_->deadline());
  for (const auto& session : sessions_) consider(session->deadline());
  return first;
}

Session* NetworkThread::open_session_of(Incarnation peer) const {
  const auto is = [&](const auto& session) { return session->open() && session->peer() == peer; };
  const auto at = std::ranges::find_if(sessions_, is);
  return at == sessions_.end() ? nullptr : at->get();
}

}  // namespace

std::unique_ptr<Network> Network::start(const NetworkOptions& options, const Regions& regions,
                                        std::function<void()> wake) {
  if (options.secret.empty()) {
    errno = EINVAL;
    throw last_error("a prefill or decode engine needs the fleet's secret: without one anybody could prove it");
  }
  return std::make_unique<NetworkThread>(options, regions, std::move(wake));
}

}  // namespace pd
