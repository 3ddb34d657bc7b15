#include "transfer/support/fleet.h"

#include <algorithm>

namespace pd {

Fleet::Fleet(std::uint64_t seed)
    : random_(seed),
      prefill_(std::make_unique<SmallPrefill>(1, clock_, faults_)),
      decode_(std::make_unique<SmallDecode>(2, clock_, faults_)) {}

void Fleet::step() {
  if (draw(120) == 0) return trouble();
  if (draw(6) == 0) return leg();
  goes_on(draw(12));
}

void Fleet::recover() {
  decode_->parked = false;
  for (std::uint32_t i = 0; i < 12 * 400; ++i) {
    if (i % 12 == 0) clock_.pass(500 * nanos_per_ms);
    goes_on(i % 12);
  }
}

void Fleet::goes_on(std::uint32_t choice) {
  switch (choice) {
    case 0: return prefill_->senders->advance(prefill_->steps);
    case 1: return decode_->receivers->advance();
    case 2: return prefill_->begin_one();
    case 3: return prefill_->compute_one();
    case 4: return decode_->reserve_one();
    case 5: return decode_->answer_one();
    case 6: return decode_->work(prefill_->region.get(), prefill_->incarnation);
    case 7: return dial();
    case 8: return see_close();
    case 9: clock_.pass(nanos_per_ms); return;
    default: return deliver();
  }
}

void Fleet::trouble() {
  const Failure why{FailureCode::aborted, "the client left"};
  switch (draw(9)) {
    case 0: return prefill_->senders->abort(some_room(), why);
    case 1: return decode_->receivers->abort(some_room(), why);
    case 2:
    case 3:
      for (const auto& channel : channels_) channel->cut();
      return;
    case 4: decode_->parked = !decode_->parked; return;
    case 5: clock_.pass(draw(25) * nanos_per_second); return;
    case 6: return draw(3) == 0 ? restart_prefill() : void();
    case 7: return draw(3) == 0 ? restart_decode() : void();
    default: faults_.never_send = draw(4) == 0; return;
  }
}

// Each leg comes when it likes, before the other or long after it.
void Fleet::leg() {
  if (prefill_legs_.size() + decode_legs_.size() < 8) {
    prefill_legs_.push_back(room_next_);
    decode_legs_.push_back(room_next_++);
  }
  std::vector<Room>& legs = draw(2) == 0 ? prefill_legs_ : decode_legs_;
  if (legs.empty()) return;
  const auto leg = legs.begin() + draw(static_cast<std::uint32_t>(legs.size()));
  const Room room = *leg;
  legs.erase(leg);
  if (&legs == &prefill_legs_)
    prefill_->add(room);
  else
    decode_->add(room);
}

void Fleet::deliver() {
  for (const auto& channel : channels_) {
    const bool to_prefill = draw(2) == 0;
    if (to_prefill && channel->open_at_prefill) {
      if (const auto frame = channel->next_for_prefill()) prefill_->senders->received(channel->decode(), *frame);
    }
    if (!to_prefill && channel->open_at_decode) {
      if (const auto frame = channel->next_for_decode()) decode_->receivers->received(channel->prefill(), *frame);
    }
  }
}

void Fleet::see_close() {
  for (const auto& channel : channels_) {
    if (!channel->is_cut()) continue;
    const bool at_prefill = draw(2) == 0;
    bool& open = at_prefill ? channel->open_at_prefill : channel->open_at_decode;
    if (!std::exchange(open, false)) continue;
    if (at_prefill)
      prefill_->senders->closed(channel->decode(), "cut");
    else
      decode_->receivers->closed(channel->prefill(), "cut");
  }
  std::erase_if(channels_, [](const auto& channel) { return !channel->open_at_prefill && !channel->open_at_decode; });
}

void Fleet::dial() {
  const bool open =
      std::any_of(channels_.begin(), channels_.end(), [](const auto& channel) { return channel->open_at_decode; });
  if (open || !std::exchange(decode_->wants_connection, false)) return;
  channels_.push_back(std::make_unique<Channel>(prefill_->incarnation, decode_->incarnation));
  Channel& channel = *channels_.back();
  prefill_->senders->connected(channel.decode());
  decode_->receivers->connected(channel.prefill(), "prefill", 1);
}

void Fleet::restart_prefill() {
  for (const auto& channel : channels_) {
    channel->cut();
    channel->open_at_prefill = false;
  }
  prefill_ = std::make_unique<SmallPrefill>(incarnation_next_++, clock_, faults_);
}

void Fleet::restart_decode() {
  for (const auto& channel : channels_) {
    channel->cut();
    channel->open_at_decode = false;
  }
  prefill_->senders->process_gone(decode_->incarnation);
  commits_ += decode_->commits;
  decode_ = std::make_unique<SmallDecode>(incarnation_next_++, clock_, faults_);
}

std::optional<std::string> Fleet::wrong() {
  if (const auto words = prefill_->wrong()) return "prefill: " + *words;
  if (const auto words = decode_->wrong()) return "decode: " + *words;
  return std::nullopt;
}

}  // namespace pd
