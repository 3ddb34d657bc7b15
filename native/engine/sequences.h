#pragma once
// All live sequences of this engine, found by number, id or room. Loop thread only.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "engine/sequence.h"

namespace pd {

class Sequences {
 public:
  Sequence& add(Request request);  // numbered in order of arrival
  void erase(const Sequence& sequence);

  Sequence* find(SequenceNumber number);  // nullptr: it has ended
  Sequence* find_id(const std::string& id);
  Sequence* find_room(Room room);

  void each(const std::function<void(Sequence&)>& visit);  // oldest first
  bool empty() const { return by_number_.empty(); }

 private:
  SequenceNumber next_ = 1;
  std::map<SequenceNumber, std::unique_ptr<Sequence>> by_number_;
  std::unordered_map<std::string, Sequence*> by_id_;
  std::unordered_map<Room, Sequence*> by_room_;
};

}  // namespace pd
