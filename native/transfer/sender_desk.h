#pragma once
// The shell around sender_state: it keeps the books, brings each event to its room and performs the
// effects. It decides nothing about a room.

#include <deque>
#include <map>
#include <set>

#include "transfer/due_times.h"
#include "transfer/presents.h"
#include "transfer/sender_state.h"
#include "transfer/senders.h"
#include "transfer/tombstones.h"

namespace pd {

class SenderDesk final : public Senders {
 public:
  explicit SenderDesk(const SenderParts& parts) : parts_(parts) {}

  std::optional<Failure> add(Room room, const Digest& prompt_hash, std::uint32_t prompt_tokens) override;
  void began(Room room, std::span<const PageId> pages) override;
  void layer_complete(Room room, std::uint32_t layer, std::uint32_t rows) override;
  void finished(Room room, TokenId first_token, std::optional<FinishReason> reason) override;
  void abort(Room room, const Failure& why) override;

  void connected(Peer& peer) override;
  void received(Peer& peer, const Frame& frame) override;
  void closed(Peer& peer, const std::string& why) override;
  void process_gone(Incarnation decode) override;

  void advance(std::uint64_t steps) override;
  Nanos next_deadline() const override;

  std::optional<SenderView> view(Room room) const override;
  std::size_t live() const override { return live_; }
  TransferCounters counters() const override { return counters_; }
  std::vector<std::span<const PageId>> pins() const override { return pages_in(PageHands::pinned); }
  std::vector<std::span<const PageId>> holds() const override { return pages_in(PageHands::held); }

 private:
  struct Entry {
    SenderState state;
    Peer* link = nullptr;  // none before decode has presented, and after the link is lost
    bool touched = false;  // its vote waits for the next round
  };
  struct Link {
    std::set<Room> rooms;  // until they are forgotten
    Nanos progress_at = 0;
    Room progress_from = 0;  // where the report goes on, when one turn is too short for it
  };
  struct Call {  // to the host, made when all books are right again: it may call us back
    Room room;
    std::variant<TellReserved, TellSuccess, TellFailed, TellSafe> what;
  };
  struct Perform;  // one effect

  Entry* find(Room room);
  void apply(Entry& entry, const SenderEvent& event);
  void bind(Entry& entry, Peer& peer, const Present& said);
  void present(Peer& peer, const Present& said);
  void ask(Entry& entry, Peer& peer);
  void hear(Peer& peer, const Key& key, const SenderEvent& event);
  void hear_of_unknown(const Key& key, const SenderEvent& event);
  void vote();
  void lose_ranks(const RankLost& lost);
  void report_progress(std::uint64_t steps);
  void tell();
  void forget(Room room);
  Moment moment() const;
  std::vector<std::span<const PageId>> pages_in(PageHands hands) const;

  SenderParts parts_;
  std::map<Room, Entry> rooms_;
  std::map<Peer*, Link> links_;
  Tombstones tombstones_;
  Presents presents_;
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
