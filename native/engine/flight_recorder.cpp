#include "engine/flight_recorder.h"

#include <algorithm>
#include <functional>
#include <ranges>

namespace pd {

void FlightRecorder::update(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  if (entry.record.live) {
    live_.insert_or_assign(entry.number, entry);
    return;
  }
  live_.erase(entry.number);
  ended_.push_back(entry);
  if (ended_.size() > ended_records_max) ended_.pop_front();
}

void FlightRecorder::pages_safe(Room room) {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : ended_)
    if (entry.record.room == room) entry.record.pages_held = 0;
}

std::vector<RequestRecord> FlightRecorder::list(Nanos now) const {
  std::vector<const Entry*> entries;
  std::vector<RequestRecord> records;
  const std::lock_guard lock(mutex_);
  for (const auto& [number, entry] : live_) entries.push_back(&entry);
  for (const Entry& entry : ended_) entries.push_back(&entry);
  std::ranges::sort(entries, std::greater{}, &Entry::number);
  for (const Entry* entry : entries) records.push_back(entry->at(now));
  return records;
}

std::optional<RequestRecord> FlightRecorder::find(const std::string& id, Nanos now) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, entry] : live_)
    if (entry.record.id == id) return entry.at(now);
  for (const Entry& entry : ended_ | std::views::reverse)
    if (entry.record.id == id) return entry.at(now);
  return std::nullopt;
}

}  // namespace pd
