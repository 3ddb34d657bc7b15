#pragma once
// One side of a link in a test: a pool, a network with a folder of its own, and the events so far.

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "transfer/network.h"
#include "transfer/wire.h"

namespace pd {

constexpr KvLayout net_layout{.layers = 3, .kv_heads = 2, .head_dim = 8, .pages = 64};
const std::vector<std::uint8_t> net_secret = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

struct NetSettings {
  Sender side = Sender::prefill;
  Incarnation incarnation = 0;
  std::vector<std::uint8_t> secret = net_secret;
  std::uint8_t fingerprint = 7;
  std::string words = "model 7";
  std::uint16_t port = 0;
  Nanos connect_limit = 20 * nanos_per_second;
  std::string host = "127.0.0.1";
};

// Gone with its contents when this is; a decode engine has none, so that one may be killed.
class NetFolder {
 public:
  explicit NetFolder(bool wanted);
  NetFolder(const NetFolder&) = delete;
  NetFolder& operator=(const NetFolder&) = delete;
  ~NetFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class NetEngine {
 public:
  explicit NetEngine(const NetSettings& settings);

  Network& network() { return *network_; }
  Region& region() { return *region_; }
  const std::string& folder() const { return folder_.path(); }

  // Polls until `seen` holds; false after a generous while.
  bool wait_for(const std::function<bool()>& seen);
  // The nth event of a kind (from 0), waited for; nullptr when it does not come.
  template <typename Event>
  const Event* next(std::size_t nth = 0) {
    wait_for([&] { return find<Event>(nth) != nullptr; });
    return find<Event>(nth);
  }
  template <typename Event>
  const Event* find(std::size_t nth = 0) const {
    for (const auto& event : events_) {
      if (const Event* found = std::get_if<Event>(event.get()); found && nth-- == 0) return found;
    }
    return nullptr;
  }
  template <typename Event>
  std::vector<const Event*> all() const {
    std::vector<const Event*> found;
    for (const auto& event : events_) {
      if (const Event* one = std::get_if<Event>(event.get())) found.push_back(one);
    }
    return found;
  }
  const std::vector<std::unique_ptr<NetworkEvent>>& events() const { return events_; }

  // What on_region brought and on_region_lost took away.
  std::size_t regions_opened();
  std::size_t regions_lost();
  const Region* peer_region();

 private:
  NetFolder folder_;
  std::unique_ptr<Region> region_;
  std::vector<std::unique_ptr<NetworkEvent>> events_;  // addresses stay
  std::mutex mutex_;
  std::condition_variable woken_;
  bool wake_ = false;
  std::size_t regions_opened_ = 0, regions_lost_ = 0;
  std::unique_ptr<const Region> peer_region_;
  std::unique_ptr<Network> network_;  // the last: its thread uses the above
};

// A prefill and a decode engine whose link is open.
struct NetPair {
  explicit NetPair(const NetSettings& prefill = {.side = Sender::prefill, .incarnation = 0xA1},
                   const NetSettings& decode = {.side = Sender::decode, .incarnation = 0xB2})
      : prefill(prefill), decode(decode) {}
  bool connect();

  NetEngine prefill, decode;
};

}  // namespace pd
