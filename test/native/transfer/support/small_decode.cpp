#include "transfer/support/small_decode.h"

#include <algorithm>
#include <cstring>

namespace pd {

SmallDecode::SmallDecode(Incarnation own, const ManualClock& clock, Faults& faults)
    : incarnation(own),
      region(Region::create(small_layout, Digest{1}, own)),
      pool(*region, PageOrder::contiguous),
      receivers(Receivers::create({*this, pool, *this, clock, faults, *ranks, small_deadlines, own, small_layout})) {}

void SmallDecode::add(Room room) {
  static_cast<void>(receivers->add({"prefill", 1, room}, prompt_of(room), small_tokens));
}

void SmallDecode::on_credit(Room room) {
  credited_.insert(room);
  reserve_one();
}

void SmallDecode::reserve_one() {
  if (credited_.empty()) return;
  std::optional<KvPages> pages = pool.take(small_pages);
  if (!pages) return;
  const Room room = *credited_.begin();
  credited_.erase(credited_.begin());
  pages_[room] = *pages;
  receivers->reserve(room, *pages);
}

void SmallDecode::on_commit(Room room, const CommitInfo&) {
  ++commits;
  answering_.insert(room);
  for (const PageId page : pages_.at(room)) {
    for (std::uint32_t layer = 0; layer < small_layout.layers; ++layer) {
      const std::uint8_t* bytes = region->pages() + small_layout.offset(layer, page);
      const std::size_t rows = page == pages_.at(room).back() ? small_tokens % page_tokens : page_tokens;
      const auto is_mine = [&](std::uint8_t byte) { return byte == mark_of(room); };
      if (!std::all_of(bytes, bytes + rows * small_layout.token_bytes(), is_mine))
        wrong_ = "a commit with rows of somebody else";
    }
  }
}

void SmallDecode::answer_one() {
  if (answering_.empty()) return;
  let_go(*answering_.begin());
}

void SmallDecode::plan(PullPlan plan) {
  const Key key = plan.key;
  plans_[key] = std::move(plan);
}

void SmallDecode::cancel(const Key& key) {
  if (copying_ && copying_->key == key) return void(cancelled_.insert(key));
  plans_.erase(key);  // what is queued for it finds nothing and touches nothing
  evidence_.push_back({.key = key, .kind = EvidenceKind::drained, .words = {}});
}

void SmallDecode::work(Region* source, Incarnation prefill) {
  if (parked && copying_) return;
  if (copying_)
    land(source, prefill);
  else
    take(prefill);
}

void SmallDecode::take(Incarnation prefill) {
  if (work_.empty()) return;
  const Pull pull = work_.front();
  work_.pop_front();
  const auto plan = plans_.find(pull.key);
  if (plan == plans_.end()) return;
  if (pull.key.prefill != prefill) return say_unmapped(pull.key);
  copying_ = pull;
}

void SmallDecode::land(Region* source, Incarnation prefill) {
  const Pull pull = *copying_;
  copying_.reset();
  const PullPlan& plan = plans_.at(pull.key);
  const bool mapped = pull.key.prefill == prefill;
  for (std::size_t i = 0; mapped && i < plan.from.size(); ++i) {
    // It must not have been given to somebody else while we may read it: a hold that was too short.
    if (source->generations()[plan.from[i]].load() != plan.generations[i])
      wrong_ = "prefill let go of a page under decode's worker";
    std::memcpy(region->pages() + small_layout.offset(pull.layer, plan.to[i]),
                source->pages() + small_layout.offset(pull.layer, plan.from[i]), small_layout.page_bytes());
  }
  if (cancelled_.erase(pull.key) == 1) {
    plans_.erase(pull.key);
    evidence_.push_back({.key = pull.key, .kind = EvidenceKind::skipped, .words = {}});
    return evidence_.push_back({.key = pull.key, .kind = EvidenceKind::drained, .words = {}});
  }
  if (!mapped) return say_unmapped(pull.key);
  evidence_.push_back({.key = pull.key,
                       .kind = EvidenceKind::landed,
                       .layer = pull.layer,
                       .rows = pull.first + pull.count,
                       .bytes = 1,
                       .words = {}});
}

void SmallDecode::say_unmapped(const Key& key) {
  evidence_.push_back({.key = key, .kind = EvidenceKind::error, .words = "unmapped", .code = FailureCode::peer_lost});
}

std::optional<std::string> SmallDecode::wrong() {
  if (!wrong_.empty()) return wrong_;
  PagePool::Owners owners{{}, receivers->pins(), receivers->holds()};
  for (const auto& [room, pages] : pages_) owners.sequences.emplace_back(pages);
  return pool.check(owners);
}

void SmallDecode::let_go(Room room) {
  credited_.erase(room);
  answering_.erase(room);
  const auto pages = pages_.find(room);
  if (pages == pages_.end()) return;
  pool.release(pages->second);
  pages_.erase(pages);
}

}  // namespace pd
