#include "transfer/support/net_engine.h"

#include <cstdlib>
#include <stdexcept>

namespace pd {
namespace {

constexpr auto patience = std::chrono::seconds(60);

}  // namespace

NetFolder::NetFolder(bool wanted) {
  if (!wanted) return;
  path_ = (std::filesystem::temp_directory_path() / "pd-net-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
}

NetFolder::~NetFolder() {
  if (!path_.empty()) std::filesystem::remove_all(path_);
}

NetEngine::NetEngine(const NetSettings& settings)
    : folder_(settings.side == Sender::prefill),
      region_(Region::create(net_layout, Digest{settings.fingerprint}, settings.incarnation)) {
  NetworkOptions options{.listen_host = settings.host,
                         .listen_port = settings.port,
                         .listens = settings.side == Sender::prefill,
                         .incarnation = settings.incarnation,
                         .fingerprint = Digest{settings.fingerprint},
                         .fingerprint_words = settings.words,
                         .secret = settings.secret,
                         .connect_limit = settings.connect_limit,
                         .socket_dir = folder_.path()};
  const Network::Regions regions{.own = *region_,
                                 .on_region =
                                     [this](Incarnation, std::unique_ptr<const Region> region) {
                                       const std::lock_guard lock(mutex_);
                                       ++regions_opened_;
                                       peer_region_ = std::move(region);
                                     },
                                 .on_region_lost =
                                     [this](Incarnation) {
                                       const std::lock_guard lock(mutex_);
                                       ++regions_lost_;
                                     }};
  network_ = Network::start(options, regions, [this] {
    const std::lock_guard lock(mutex_);
    wake_ = true;
    woken_.notify_all();
  });
}

bool NetEngine::wait_for(const std::function<bool()>& seen) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    for (NetworkEvent& event : network_->poll()) events_.push_back(std::make_unique<NetworkEvent>(std::move(event)));
    if (seen()) return true;
    std::unique_lock lock(mutex_);
    // Also without an event: what is waited for may be a counter.
    woken_.wait_for(lock, std::chrono::milliseconds(20), [&] { return wake_; });
    wake_ = false;
    if (std::chrono::steady_clock::now() > until) return false;
  }
}

std::size_t NetEngine::regions_opened() {
  const std::lock_guard lock(mutex_);
  return regions_opened_;
}

std::size_t NetEngine::regions_lost() {
  const std::lock_guard lock(mutex_);
  return regions_lost_;
}

const Region* NetEngine::peer_region() {
  const std::lock_guard lock(mutex_);
  return peer_region_.get();
}

bool NetPair::connect() {
  decode.network().dial("127.0.0.1", prefill.network().port());
  return decode.next<LinkOpened>() != nullptr && prefill.next<LinkOpened>() != nullptr;
}

}  // namespace pd
