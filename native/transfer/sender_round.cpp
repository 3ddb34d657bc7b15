// The loop's turn: deadlines mark, ranks agree, then we act.

#include <algorithm>

#include "transfer/ballots.h"
#include "transfer/limits.h"
#include "transfer/sender_desk.h"

namespace pd {

struct SenderDesk::Perform {
  SenderDesk& desk;
  Entry& entry;
  PagePool& pool = desk.parts_.pool;
  const SenderState& s = entry.state;

  void operator()(Send& send) {
    if (entry.link) entry.link->send(std::move(send.frame));
  }
  void operator()(const PinPages&) { pool.pin(s.pages); }
  void operator()(const UnpinPages&) { pool.unpin(s.pages); }
  void operator()(const HoldPages&) { pool.hold(s.pages); }
  void operator()(const UnholdPages&) { pool.unhold(s.pages); }
  void operator()(const TellReserved& call) { desk.calls_.push_back({s.key.room, call}); }
  void operator()(const TellSuccess& call) { desk.calls_.push_back({s.key.room, call}); }
  void operator()(const TellFailed& call) {
    if (!s.bound()) desk.tombstones_.put(s.key.room, call.why);  // decode may still come
    desk.calls_.push_back({s.key.room, call});
  }
  void operator()(const TellSafe& call) { desk.calls_.push_back({s.key.room, call}); }
};

void SenderDesk::apply(Entry& entry, const SenderEvent& event) {
  const bool was_live = !entry.state.terminal();
  for (SenderEffect& effect : pd::advance(entry.state, event, moment())) std::visit(Perform{*this, entry}, effect);
  const SenderState& s = entry.state;
  if (was_live && s.terminal()) --live_;
  const std::optional<Due> next = due(s, parts_.deadlines);
  due_times_.set(s.key.room, next ? std::optional(next->at) : std::nullopt);
  if (entry.touched || s.terminal() || s.vote == s.state) return;
  entry.touched = true;
  touched_.push_back(s.key.room);
}

void SenderDesk::advance(std::uint64_t steps) {
  if (!parts_.faults.ignore_deadlines.load()) {
    for (const Room room : due_times_.take_passed(parts_.clock.now())) apply(rooms_.at(room), TimePassed{});
  }
  vote();
  report_progress(steps);
  tell();
}

// Alone, only a room whose vote has moved needs a round; with other ranks every live room does, always.
void SenderDesk::vote() {
  std::vector<Ballot> ballots;
  std::vector<Room> touched = std::move(touched_);
  touched_.clear();
  for (const Room room : touched) rooms_.at(room).touched = false;
  if (parts_.ranks.size() == 1) {
    for (const Room room : touched) ballots.push_back({room, rooms_.at(room).state.vote});
  } else {
    for (const auto& [room, entry] : rooms_) {
      if (!entry.state.terminal()) ballots.push_back({room, entry.state.vote});
    }
  }
  if (const auto lost = reduce(parts_.ranks, ++iteration_, ballots)) return lose_ranks(*lost);
  for (const Ballot& ballot : ballots) {
    Entry& entry = rooms_.at(ballot.room);
    if (entry.state.state != ballot.vote) apply(entry, Agreed{ballot.vote});
  }
}

void SenderDesk::lose_ranks(const RankLost& lost) {
  ranks_lost_ = lost;
  for (auto& [room, entry] : rooms_) {
    apply(entry, GiveUp{{FailureCode::shutdown, std::string("the ranks of this engine are lost: ") + lost.why}});
    apply(entry, Agreed{TransferState::failed});
  }
  touched_.clear();
}

void SenderDesk::report_progress(std::uint64_t steps) {
  const Nanos now = parts_.clock.now();
  for (auto& [peer, link] : links_) {
    if (link.rooms.empty() || link.progress_at > now) continue;
    Progress report{steps, {}};
    auto room = link.rooms.lower_bound(link.progress_from);
    for (std::size_t i = 0; i < limits::progress_entries_max && room != link.rooms.end(); ++i, ++room) {
      const SenderState& s = rooms_.at(*room).state;
      if (!s.terminal()) report.entries.push_back({s.key, s.stage(), s.rows_computed(), s.rows_sent()});
    }
    const bool complete = room == link.rooms.end();
    link.progress_from = complete ? 0 : *room;
    if (complete) link.progress_at = now + limits::progress_every;
    if (!report.entries.empty()) peer->send(std::move(report));
  }
}

Nanos SenderDesk::next_deadline() const {
  if (!touched_.empty() || !calls_.empty()) return parts_.clock.now();
  Nanos next = parts_.faults.ignore_deadlines.load() ? no_deadline : due_times_.next().value_or(no_deadline);
  for (const auto& [peer, link] : links_) {
    if (!link.rooms.empty()) next = std::min(next, link.progress_at);
  }
  return next;
}

void SenderDesk::tell() {
  if (telling_) return;  // the host has called us from a call
  telling_ = true;
  while (!calls_.empty()) {
    const Call call = std::move(calls_.front());
    calls_.pop_front();
    SenderHost& host = parts_.host;
    if (std::holds_alternative<TellReserved>(call.what)) host.on_reserved(call.room);
    if (std::holds_alternative<TellSuccess>(call.what)) host.on_success(call.room);
    if (const TellFailed* failed = std::get_if<TellFailed>(&call.what)) host.on_failed(call.room, failed->why);
    if (!std::holds_alternative<TellSafe>(call.what)) continue;
    host.on_safe(call.room);
    forget(call.room);
  }
  telling_ = false;
}

void SenderDesk::forget(Room room) {
  const auto entry = rooms_.find(room);
  if (entry->second.link) links_.at(entry->second.link).rooms.erase(room);
  due_times_.set(room, std::nullopt);
  rooms_.erase(entry);
}

}  // namespace pd
