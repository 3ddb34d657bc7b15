#pragma once
// A decode engine in small: the shipped receivers over a real pool, and a copy worker that is stepped by
// hand and really copies.

#include <deque>
#include <map>
#include <set>
#include <utility>

#include "transfer/receivers.h"
#include "transfer/support/small_prefill.h"

namespace pd {

class SmallDecode final : public ReceiverHost, public Backend {
 public:
  SmallDecode(Incarnation incarnation, const ManualClock& clock, Faults& faults);

  void add(Room room);
  void reserve_one();                              // for a room that found no pages
  void answer_one();                               // a committed request ends
  void work(Region* source, Incarnation prefill);  // takes a pull, or lands it
  bool idle() const { return receivers->live() == 0 && pool.pages_free() == pool.pages_total(); }
  std::optional<std::string> wrong();

  void on_credit(Room room) override;
  void on_commit(Room room, const CommitInfo&) override;
  void on_failed(Room room, const Failure&) override { let_go(room); }
  void on_safe(Room) override {}
  void want_connection(const std::string&, std::uint16_t) override { wants_connection = true; }

  const char* name() const override { return "stepped"; }
  void plan(PullPlan plan) override;
  void post(const Pull& pull) override { work_.push_back(pull); }
  void cancel(const Key& key) override;
  void forget(const Key& key) override { plans_.erase(key); }
  std::vector<Evidence> poll() override { return std::exchange(evidence_, {}); }

  const Incarnation incarnation;
  std::unique_ptr<Region> region;
  PagePool pool;
  std::unique_ptr<Ranks> ranks = solo_rank();
  std::unique_ptr<Receivers> receivers;
  bool wants_connection = false, parked = false;
  std::size_t commits = 0;

 private:
  void take(Incarnation prefill);
  void land(Region* source, Incarnation prefill);
  void say_unmapped(const Key& key);
  void let_go(Room room);

  std::map<Key, PullPlan> plans_;
  std::deque<Pull> work_;
  std::optional<Pull> copying_;
  std::set<Key> cancelled_;
  std::vector<Evidence> evidence_;
  std::map<Room, KvPages> pages_;
  std::set<Room> credited_, answering_;
  std::string wrong_;
};

}  // namespace pd
