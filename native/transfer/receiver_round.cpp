// The loop's turn: the worker's evidence, deadlines mark, ranks agree, then we act.

#include <algorithm>

#include "transfer/ballots.h"
#include "transfer/limits.h"
#include "transfer/receiver_desk.h"

namespace pd {

struct ReceiverDesk::Perform {
  ReceiverDesk& desk;
  Entry& entry;
  PagePool& pool = desk.parts_.pool;
  Backend& backend = desk.parts_.backend;
  const ReceiverState& s = entry.state;

  void operator()(Send& send) {
    Peer* peer = entry.link ? entry.link : desk.link_to(s.key.prefill);
    if (peer)
      peer->send(std::move(send.frame));
    else
      desk.redial_soon(entry.place);  // prefill asks again for what it has missed, once it is connected
  }
  void operator()(const PinPages&) { pool.pin(s.pages); }
  void operator()(const UnpinPages&) { pool.unpin(s.pages); }
  void operator()(const HoldPages&) { pool.hold(s.pages); }
  void operator()(const UnholdPages&) { pool.unhold(s.pages); }
  void operator()(PlanPull& plan) { backend.plan(std::move(plan.plan)); }
  void operator()(const PostPull& post) { backend.post(post.pull); }
  void operator()(const CancelPull&) { backend.cancel(s.key); }
  void operator()(const ForgetPull&) { backend.forget(s.key); }
  void operator()(const TellCredit& call) { desk.calls_.push_back({s.key.room, call}); }
  void operator()(const TellCommit& call) {
    desk.commits_.put(s.key);
    desk.calls_.push_back({s.key.room, call});
  }
  void operator()(const TellFailed& call) { desk.calls_.push_back({s.key.room, call}); }
  void operator()(const TellSafe& call) { desk.calls_.push_back({s.key.room, call}); }
  void operator()(const CountAckLost&) { ++desk.counters_.ack_lost; }
};

void ReceiverDesk::apply(Entry& entry, const ReceiverEvent& event) {
  const bool was_live = !entry.state.terminal();
  for (ReceiverEffect& effect : pd::advance(entry.state, event, moment())) std::visit(Perform{*this, entry}, effect);
  const ReceiverState& s = entry.state;
  if (was_live && s.terminal()) --live_;
  const std::optional<Due> next = due(s, parts_.deadlines);
  due_times_.set(s.key.room, next ? std::optional(next->at) : std::nullopt);
  if (entry.touched || s.terminal() || s.vote == s.state) return;
  entry.touched = true;
  touched_.push_back(s.key.room);
}

void ReceiverDesk::advance() {
  for (const Evidence& evidence : parts_.backend.poll()) {
    Entry* entry = find(evidence.key.room);
    if (entry && entry->state.key == evidence.key) apply(*entry, evidence);
  }
  if (!parts_.faults.ignore_deadlines.load()) {
    for (const Room room : due_times_.take_passed(parts_.clock.now())) apply(rooms_.at(room), TimePassed{});
  }
  vote();
  redial();
  tell();
}

// Alone, only a room whose vote has moved needs a round; with other ranks every live room does, always.
void ReceiverDesk::vote() {
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

void ReceiverDesk::lose_ranks(const RankLost& lost) {
  ranks_lost_ = lost;
  for (auto& [room, entry] : rooms_) {
    apply(entry, GiveUp{{FailureCode::shutdown, std::string("the ranks of this engine are lost: ") + lost.why}});
    apply(entry, Agreed{TransferState::failed});
  }
  touched_.clear();
}

Nanos ReceiverDesk::next_deadline() const {
  if (!touched_.empty() || !calls_.empty()) return parts_.clock.now();
  Nanos next = parts_.faults.ignore_deadlines.load() ? no_deadline : due_times_.next().value_or(no_deadline);
  for (const auto& [place, redial] : redials_) next = std::min(next, redial.at);
  return next;
}

void ReceiverDesk::tell() {
  if (telling_) return;  // the host has called us from a call
  telling_ = true;
  while (!calls_.empty()) {
    const Call call = std::move(calls_.front());
    calls_.pop_front();
    ReceiverHost& host = parts_.host;
    if (const WantConnection* want = std::get_if<WantConnection>(&call.what))
      host.want_connection(want->place.host, want->place.port);
    if (std::holds_alternative<TellCredit>(call.what)) host.on_credit(call.room);
    if (const TellCommit* commit = std::get_if<TellCommit>(&call.what))
      host.on_commit(call.room, {commit->first_token, commit->finish_reason});
    if (const TellFailed* failed = std::get_if<TellFailed>(&call.what)) host.on_failed(call.room, failed->why);
    if (!std::holds_alternative<TellSafe>(call.what)) continue;
    host.on_safe(call.room);
    forget(call.room);
  }
  telling_ = false;
}

void ReceiverDesk::forget(Room room) {
  const auto entry = rooms_.find(room);
  if (entry->second.link) links_.at(entry->second.link).rooms.erase(room);
  const auto waiting = waiting_.find(entry->second.place);
  if (waiting != waiting_.end() && waiting->second.erase(room) == 1 && waiting->second.empty()) waiting_.erase(waiting);
  due_times_.set(room, std::nullopt);
  rooms_.erase(entry);
}

}  // namespace pd
