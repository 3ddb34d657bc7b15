#include "engine/sequences.h"

#include <utility>

namespace pd {

Sequence& Sequences::add(Request request) {
  auto owned = std::make_unique<Sequence>();
  Sequence& sequence = *owned;
  sequence.number = next_++;
  sequence.request = std::move(request);
  by_number_.emplace(sequence.number, std::move(owned));
  by_id_.emplace(sequence.request.id, &sequence);
  if (sequence.request.bootstrap) by_room_.emplace(sequence.room(), &sequence);
  return sequence;
}

void Sequences::erase(const Sequence& sequence) {
  by_id_.erase(sequence.request.id);
  if (sequence.request.bootstrap) by_room_.erase(sequence.room());
  by_number_.erase(sequence.number);
}

Sequence* Sequences::find(SequenceNumber number) {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second.get();
}

Sequence* Sequences::find_id(const std::string& id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

Sequence* Sequences::find_room(Room room) {
  const auto found = by_room_.find(room);
  return found == by_room_.end() ? nullptr : found->second;
}

void Sequences::each(const std::function<void(Sequence&)>& visit) {
  for (const auto& [number, sequence] : by_number_) visit(*sequence);
}

}  // namespace pd
