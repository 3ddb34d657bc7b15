// What comes in over the links, and what the loss of one means.

#include <algorithm>

#include "transfer/limits.h"
#include "transfer/sender_desk.h"

namespace pd {

void SenderDesk::connected(Peer& peer) {
  links_[&peer].progress_at = parts_.clock.now() + limits::progress_every;
  for (auto& [room, entry] : rooms_) {
    if (is_terminal(entry.state.vote) && entry.state.key.decode == peer.incarnation()) ask(entry, peer);
  }
}

// The last words of an earlier link may be lost. Decode answers for every room that it does not touch.
void SenderDesk::ask(Entry& entry, Peer& peer) { peer.send(Abort{entry.state.key}); }

void SenderDesk::received(Peer& peer, const Frame& frame) {
  std::visit(
      [&](const auto& said) {
        using Said = std::decay_t<decltype(said)>;
        if constexpr (std::is_same_v<Said, Present>) {
          present(peer, said);
        } else if constexpr (std::is_constructible_v<SenderEvent, Said>) {
          hear(peer, said.key, said);
        } else {
          ++counters_.frames_stale;  // ours to say, not to hear
        }
      },
      frame);
  tell();
}

void SenderDesk::present(Peer& peer, const Present& said) {
  const Key& key = said.key;
  if (key.prefill != parts_.incarnation || key.decode != peer.incarnation()) return void(++counters_.frames_stale);
  const auto refuse = [&](const Failure& why) { peer.send(Failed{key, why.code, why.words}); };
  if (Entry* entry = find(key.room)) {
    if (!entry->state.bound()) return bind(*entry, peer, said);
    if (entry->state.key != key)
      refuse({FailureCode::duplicate_room, "another decode engine has presented this room: draw another"});
    return;
  }
  if (const Failure* ended = tombstones_.find(key.room)) return refuse(*ended);
  const KeptPresent* kept = presents_.find(key.room);
  if (kept && kept->said.key != key)
    return refuse({FailureCode::duplicate_room, "another decode engine has presented this room: draw another"});
  if (!kept && presents_.full())
    return refuse({FailureCode::queue_full, "too many rooms wait here for their prefill leg"});
  presents_.keep({said, &peer});
}

void SenderDesk::bind(Entry& entry, Peer& peer, const Present& said) {
  entry.link = &peer;
  entry.state.peer = peer.name();
  links_[&peer].rooms.insert(said.key.room);
  apply(entry, said);
}

void SenderDesk::hear(Peer& peer, const Key& key, const SenderEvent& event) {
  if (key.prefill != parts_.incarnation || key.decode != peer.incarnation()) return void(++counters_.frames_stale);
  Entry* entry = find(key.room);
  if (entry && entry->state.key == key) return apply(*entry, event);
  hear_of_unknown(key, event);
}

void SenderDesk::hear_of_unknown(const Key& key, const SenderEvent& event) {
  if (std::holds_alternative<Done>(event) || std::holds_alternative<Drained>(event)) return;  // said twice: no harm
  const bool ends = std::holds_alternative<Failed>(event) || std::holds_alternative<Abort>(event);
  if (!ends || rooms_.contains(key.room)) return void(++counters_.frames_stale);
  presents_.take(key.room);
  const Failed* failed = std::get_if<Failed>(&event);
  tombstones_.put(key.room,
                  failed ? peer_failure("decode", *failed) : Failure{FailureCode::aborted, "decode aborted it"});
}

void SenderDesk::closed(Peer& peer, const std::string& why) {
  presents_.forget(peer);
  const auto link = links_.find(&peer);
  if (link == links_.end()) return;
  const std::set<Room> rooms = std::move(link->second.rooms);
  links_.erase(link);
  const auto same = [&](const auto& other) { return other.first->incarnation() == peer.incarnation(); };
  const auto other = std::find_if(links_.begin(), links_.end(), same);  // it may have come back before we saw it go
  for (const Room room : rooms) {
    Entry& entry = rooms_.at(room);
    entry.link = nullptr;
    apply(entry, GiveUp{{FailureCode::peer_lost, "the connection to decode " + peer.name() + " is lost: " + why}});
    if (other == links_.end()) continue;
    entry.link = other->first;
    other->second.rooms.insert(room);
    ask(entry, *other->first);
  }
  tell();
}

void SenderDesk::process_gone(Incarnation decode) {
  for (auto& [room, entry] : rooms_) {
    if (entry.state.key.decode != decode) continue;
    apply(entry, GiveUp{{FailureCode::peer_lost, "the process of decode " + entry.state.peer + " has ended"}});
    apply(entry, ReaderGone{});
  }
  tell();
}

}  // namespace pd
