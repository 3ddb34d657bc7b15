#include "transfer/senders.h"

#include "core/check.h"
#include "transfer/limits.h"
#include "transfer/sender_desk.h"

namespace pd {

std::unique_ptr<Senders> Senders::create(const SenderParts& parts) { return std::make_unique<SenderDesk>(parts); }

std::optional<Failure> SenderDesk::add(Room room, const Digest& prompt_hash, std::uint32_t prompt_tokens) {
  if (ranks_lost_)
    return Failure{FailureCode::shutdown, std::string("the ranks of this engine are lost: ") + ranks_lost_->why};
  if (rooms_.size() >= limits::rooms_max)
    return Failure{FailureCode::queue_full, "this engine has as many rooms as it can keep"};
  if (rooms_.contains(room)) {
    return Failure{FailureCode::duplicate_room, "bootstrap_room " + std::to_string(room) + " is in use: draw another"};
  }
  if (const Failure* ended = tombstones_.find(room)) return *ended;
  Entry& entry = rooms_[room];
  entry.state = new_sender(room, parts_.incarnation, prompt_hash, prompt_tokens, parts_.layers, parts_.clock.now());
  ++live_;
  const std::optional<Due> deadline = due(entry.state, parts_.deadlines);
  due_times_.set(room, deadline->at);
  if (const auto kept = presents_.take(room)) bind(entry, *kept->peer, kept->said);
  return std::nullopt;
}

void SenderDesk::began(Room room, std::span<const PageId> pages) {
  Entry* entry = find(room);
  if (!entry) return;  // it failed in between
  PD_CHECK(pages.size() >= pages_for(entry->state.prompt_tokens), "a prompt has all its pages before its first chunk");
  PagesGiven given;
  given.pages.assign(pages.begin(), pages.begin() + pages_for(entry->state.prompt_tokens));
  for (const PageId page : given.pages) given.generations.push_back(parts_.pool.generation(page));
  apply(*entry, given);
}

void SenderDesk::layer_complete(Room room, std::uint32_t layer, std::uint32_t rows) {
  Entry* entry = find(room);
  if (!entry) return;
  PD_CHECK(layer < parts_.layers && rows <= entry->state.prompt_tokens, "a finished layer lies inside the prompt");
  apply(*entry, LayerComplete{layer, rows});
}

void SenderDesk::finished(Room room, TokenId first_token, std::optional<FinishReason> reason) {
  if (Entry* entry = find(room)) apply(*entry, PrefillFinished{first_token, reason});
}

void SenderDesk::abort(Room room, const Failure& why) {
  if (Entry* entry = find(room)) return apply(*entry, GiveUp{why});
  tombstones_.put(room, why);
  if (const auto kept = presents_.take(room)) kept->peer->send(Failed{kept->said.key, why.code, why.words});
}

std::optional<SenderView> SenderDesk::view(Room room) const {
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return std::nullopt;
  const SenderState& s = found->second.state;
  SenderView view{s.state,    s.stage(), s.peer,     s.rows_sent(), s.presented, s.credited,
                  s.reserved, s.began,   s.finished, s.committed,   s.ended};
  if (const std::optional<Due> next = due(s, parts_.deadlines)) {
    view.deadline = name_of(next->kind);
    view.deadline_at = next->at;
  }
  return view;
}

std::vector<std::span<const PageId>> SenderDesk::pages_in(PageHands hands) const {
  std::vector<std::span<const PageId>> pages;
  for (const auto& [room, entry] : rooms_) {
    if (entry.state.hands == hands && !entry.state.pages.empty()) pages.emplace_back(entry.state.pages);
  }
  return pages;
}

SenderDesk::Entry* SenderDesk::find(Room room) {
  const auto found = rooms_.find(room);
  return found == rooms_.end() ? nullptr : &found->second;
}

Moment SenderDesk::moment() const {
  return {parts_.clock.now(), parts_.deadlines, parts_.faults.ignore_deadlines.load(), parts_.faults.never_send.load()};
}

}  // namespace pd
