#pragma once
// The shell around receiver_state: it keeps the books, brings each event to its room and performs the
// effects. It decides nothing about a room.

#include <deque>
#include <map>
#include <set>

#include "transfer/due_times.h"
#include "transfer/receiver_state.h"
#include "transfer/receivers.h"
#include "transfer/recent_keys.h"
#include "transfer/tombstones.h"

namespace pd {

class ReceiverDesk final : public Receivers {
 public:
  explicit ReceiverDesk(const ReceiverParts& parts) : parts_(parts) {}

  std::optional<Failure> add(const Bootstrap& where, const Digest& prompt_hash, std::uint32_t prompt_tokens) override;
  void reserve(Room room, std::span<const PageId> pages) override;
  void abort(Room room, const Failure& why) override;

  void connected(Peer& peer, const std::string& host, std::uint16_t port) override;
  void unreachable(const std::string& host, std::uint16_t port, const Failure& why) override;
  void received(Peer& peer, const Frame& frame) override;
  void closed(Peer& peer, const std::string& why) override;

  void advance() override;
  Nanos next_deadline() const override;

  std::optional<ReceiverView> view(Room room) const override;
  std::size_t live() const override { return live_; }
  TransferCounters counters() const override { return counters_; }
  std::vector<std::span<const PageId>> pins() const override { return pages_in(PageHands::pinned); }
  std::vector<std::span<const PageId>> holds() const override { return pages_in(PageHands::held); }

 private:
  struct Place {
    std::string host;
    std::uint16_t port = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Entry {
    ReceiverState state;
    Place place;
    Peer* link = nullptr;  // none before there is a connection, and after it is lost
    bool touched = false;  // its vote waits for the next round
  };
  struct Link {
    Place place;
    std::set<Room> rooms;  // until they are forgotten
    bool carried = false;  // any room, ever
  };
  struct Redial {  // prefill may hold pages until it hears of us
    std::uint32_t left;
    Nanos wait, at;
  };
  struct WantConnection { Place place; };
  struct Call {  // to the host, made when all books are right again: it may call us back
    Room room;
    std::variant<TellCredit, TellCommit, TellFailed, TellSafe, WantConnection> what;
  };
  struct Perform;  // one effect

  Entry* find(Room room);
  Peer* link_at(const Place& place);
  Peer* link_to(Incarnation prefill);
  void apply(Entry& entry, const ReceiverEvent& event);
  void bind(Entry& entry, Peer& peer);
  void hear(Peer& peer, const Key& key, const ReceiverEvent& event);
  void hear_of_unknown(Peer& peer, const Key& key, const ReceiverEvent& event);
  void hear_progress(Peer& peer, const Progress& progress);
  void lose(Peer& peer, const std::string& words);
  void redial_soon(const Place& place);
  void redial();
  void vote();
  void lose_ranks(const RankLost& lost);
  void tell();
  void forget(Room room);
  Moment moment() const;
  std::vector<std::span<const PageId>> pages_in(PageHands hands) const;

  ReceiverParts parts_;
  std::map<Room, Entry> rooms_;
  std::map<Peer*, Link> links_;
  std::map<Place, std::set<Room>> waiting_;  // for a connection
  std::map<Place, Redial> redials_;
  Tombstones tombstones_;
  RecentKeys commits_;
  DueTimes due_times_;
  std::vector<Room> touched_;
  std::deque<Call> calls_;
  bool telling_ = false;
  std::size_t live_ = 0;
  std::uint64_t iteration_ = 0;
  std::optional<RankLost> ranks_lost_;
  TransferCounters counters_;
};

}  // namespace pd
