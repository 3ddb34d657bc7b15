#pragma once
// A prefill and a decode engine in small, connected by channels, driven by a seed.

#include <list>
#include <random>

#include "transfer/support/channel.h"
#include "transfer/support/small_decode.h"

namespace pd {

class Fleet {
 public:
  explicit Fleet(std::uint64_t seed);

  void step();     // something happens, now and then something bad
  void recover();  // nothing bad happens any more, for a long time
  bool idle() const { return prefill_->idle() && decode_->idle(); }
  std::optional<std::string> wrong();
  std::size_t commits() const { return commits_ + decode_->commits; }

 private:
  void goes_on(std::uint32_t choice);
  void trouble();
  void leg();
  void deliver();
  void see_close();
  void dial();
  void restart_prefill();
  void restart_decode();
  std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  Room some_room() { return 1 + draw(room_next_); }

  std::mt19937_64 random_;
  ManualClock clock_;
  Faults faults_;
  Incarnation incarnation_next_ = 100;
  Room room_next_ = 1;
  std::vector<Room> prefill_legs_, decode_legs_;  // sent, not yet there
  std::unique_ptr<SmallPrefill> prefill_;
  std::unique_ptr<SmallDecode> decode_;
  std::list<std::unique_ptr<Channel>> channels_;
  std::size_t commits_ = 0;
};

}  // namespace pd
