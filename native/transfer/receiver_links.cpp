// What comes in over the links, and what the loss of one means.

#include <algorithm>

#include "transfer/limits.h"
#include "transfer/receiver_desk.h"

namespace pd {

void ReceiverDesk::connected(Peer& peer, const std::string& host, std::uint16_t port) {
  const Place place{host, port};
  // One place has one engine: whoever was there is gone, or has come back as another.
  std::vector<Peer*> earlier;
  for (const auto& [known, link] : links_) {
    if (link.place == place && known != &peer) earlier.push_back(known);
  }
  for (Peer* known : earlier) {
    lose(*known, known->incarnation() == peer.incarnation() ? "connected anew" : "it came back as another incarnation");
  }
  links_[&peer].place = place;
  redials_.erase(place);
  const std::set<Room> rooms = std::move(waiting_[place]);
  waiting_.erase(place);
  for (const Room room : rooms) bind(rooms_.at(room), peer);
  tell();
}

void ReceiverDesk::bind(Entry& entry, Peer& peer) {
  Link& link = links_.at(&peer);
  link.rooms.insert(entry.state.key.room);
  link.carried = true;
  entry.link = &peer;
  apply(entry, PeerFound{peer.incarnation(), peer.name()});
}

void ReceiverDesk::unreachable(const std::string& host, std::uint16_t port, const Failure& why) {
  const auto waiting = waiting_.find({host, port});
  if (waiting == waiting_.end()) return;
  for (const Room room : waiting->second) apply(rooms_.at(room), GiveUp{why});
}

void ReceiverDesk::received(Peer& peer, const Frame& frame) {
  std::visit(
      [&](const auto& said) {
        using Said = std::decay_t<decltype(said)>;
        if constexpr (std::is_same_v<Said, Progress>) {
          hear_progress(peer, said);
        } else if constexpr (std::is_constructible_v<ReceiverEvent, Said>) {
          hear(peer, said.key, said);
        } else {
          ++counters_.frames_stale;  // ours to say, not to hear
        }
      },
      frame);
  tell();
}

void ReceiverDesk::hear(Peer& peer, const Key& key, const ReceiverEvent& event) {
  if (key.decode != parts_.incarnation || key.prefill != peer.incarnation()) return void(++counters_.frames_stale);
  Entry* entry = find(key.room);
  if (entry && entry->state.key == key) return apply(*entry, event);
  hear_of_unknown(peer, key, event);
}

// A room that we do not know is one that our worker does not touch: prefill may wait for that word.
void ReceiverDesk::hear_of_unknown(Peer& peer, const Key& key, const ReceiverEvent& event) {
  const bool failed = std::holds_alternative<Failed>(event);
  if (!failed && !std::holds_alternative<Abort>(event)) return void(++counters_.frames_stale);
  if (failed && commits_.contains(key)) ++counters_.ack_lost;
  peer.send(Drained{key});
}

void ReceiverDesk::hear_progress(Peer& peer, const Progress& progress) {
  for (const ProgressEntry& entry : progress.entries) {
    Entry* room = find(entry.key.room);
    if (room && room->link == &peer && room->state.key == entry.key) apply(*room, ProgressSeen{entry, progress.steps});
  }
}

void ReceiverDesk::closed(Peer& peer, const std::string& why) {
  lose(peer, why);
  tell();
}

void ReceiverDesk::lose(Peer& peer, const std::string& words) {
  const auto found = links_.find(&peer);
  if (found == links_.end()) return;
  const Link link = std::move(found->second);
  links_.erase(found);
  for (const Room room : link.rooms) {
    Entry& entry = rooms_.at(room);
    entry.link = nullptr;
    apply(entry, GiveUp{{FailureCode::peer_lost, "the connection to prefill " + peer.name() + " is lost: " + words}});
  }
  if (link.carried) redial_soon(link.place);
}

void ReceiverDesk::redial_soon(const Place& place) {
  redials_[place] = {limits::redials_max, limits::redial_first, parts_.clock.now() + limits::redial_first};
}

void ReceiverDesk::redial() {
  const Nanos now = parts_.clock.now();
  for (auto& [place, redial] : redials_) {
    if (redial.at > now) continue;
    redial = {redial.left - 1, redial.wait * 2, now + redial.wait * 2};
    calls_.push_back({0, WantConnection{place}});
  }
  std::erase_if(redials_, [](const auto& redial) { return redial.second.left == 0; });
}

Peer* ReceiverDesk::link_at(const Place& place) {
  const auto found =
      std::find_if(links_.begin(), links_.end(), [&](const auto& link) { return link.second.place == place; });
  return found == links_.end() ? nullptr : found->first;
}

Peer* ReceiverDesk::link_to(Incarnation prefill) {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [&](const auto& link) { return link.first->incarnation() == prefill; });
  return found == links_.end() ? nullptr : found->first;
}

}  // namespace pd
