#include "transfer/receivers.h"

#include "core/check.h"
#include "transfer/limits.h"
#include "transfer/receiver_desk.h"

namespace pd {

std::unique_ptr<Receivers> Receivers::create(const ReceiverParts& parts) {
  return std::make_unique<ReceiverDesk>(parts);
}

std::optional<Failure> ReceiverDesk::add(const Bootstrap& where, const Digest& prompt_hash,
                                         std::uint32_t prompt_tokens) {
  if (ranks_lost_)
    return Failure{FailureCode::shutdown, std::string("the ranks of this engine are lost: ") + ranks_lost_->why};
  if (rooms_.size() >= limits::rooms_max)
    return Failure{FailureCode::queue_full, "this engine has as many rooms as it can keep"};
  if (rooms_.contains(where.room)) {
    return Failure{FailureCode::duplicate_room,
                   "bootstrap_room " + std::to_string(where.room) + " is in use: draw another"};
  }
  if (const Failure* ended = tombstones_.find(where.room)) return *ended;
  Entry& entry = rooms_[where.room];
  entry.state = new_receiver(where.room, parts_.incarnation, prompt_hash, prompt_tokens, parts_.layout.layers,
                             parts_.clock.now());
  entry.place = {where.host, where.port};
  ++live_;
  due_times_.set(where.room, due(entry.state, parts_.deadlines)->at);
  if (Peer* peer = link_at(entry.place)) {
    bind(entry, *peer);
  } else {
    waiting_[entry.place].insert(where.room);
    calls_.push_back({where.room, WantConnection{entry.place}});
  }
  tell();
  return std::nullopt;
}

void ReceiverDesk::reserve(Room room, std::span<const PageId> pages) {
  Entry* entry = find(room);
  if (!entry) return;  // it failed in between
  PD_CHECK(pages.size() >= pages_for(entry->state.prompt_tokens), "a reservation holds the whole prompt");
  apply(*entry, PagesTaken{{pages.begin(), pages.end()}});
}

void ReceiverDesk::abort(Room room, const Failure& why) {
  if (Entry* entry = find(room)) return apply(*entry, GiveUp{why});
  tombstones_.put(room, why);
}

std::optional<ReceiverView> ReceiverDesk::view(Room room) const {
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return std::nullopt;
  const ReceiverState& s = found->second.state;
  const std::uint64_t bytes_total = std::uint64_t{s.prompt_tokens} * parts_.layout.layers * parts_.layout.token_bytes();
  ReceiverView view{s.state,    s.peer,     s.rows_landed(), s.bytes_done,       bytes_total, s.stage, s.presented,
                    s.credited, s.reserved, s.first_ready,   s.prefill_finished, s.committed, s.ended};
  if (const std::optional<Due> next = due(s, parts_.deadlines)) {
    view.deadline = name_of(next->kind);
    view.deadline_at = next->at;
  }
  return view;
}

std::vector<std::span<const PageId>> ReceiverDesk::pages_in(PageHands hands) const {
  std::vector<std::span<const PageId>> pages;
  for (const auto& [room, entry] : rooms_) {
    if (entry.state.hands == hands && !entry.state.pages.empty()) pages.emplace_back(entry.state.pages);
  }
  return pages;
}

ReceiverDesk::Entry* ReceiverDesk::find(Room room) {
  const auto found = rooms_.find(room);
  return found == rooms_.end() ? nullptr : &found->second;
}

Moment ReceiverDesk::moment() const {
  return {parts_.clock.now(), parts_.deadlines, parts_.faults.ignore_deadlines.load(), parts_.faults.never_send.load()};
}

}  // namespace pd
