#include <limits>

#include "transfer/support/world_moves.h"

namespace pd {

namespace {

const Moment moment{.now = 1};
const Digest the_hash{1};

template <typename Value>
Value pop(std::vector<Value>& values) {  // they are few
  Value first = std::move(values.front());
  values.erase(values.begin());
  return first;
}

KvPages some_pages() { return {0, 1}; }

// One layer after the other, one watermark after the other.
void compute(World& world, const Rules& rules) {
  PrefillEngine& prefill = world.prefill;
  to_prefill(world, LayerComplete{prefill.layer, rules.watermarks[prefill.watermark]}, moment);
  if (++prefill.layer < rules.layers) return;
  prefill.layer = 0;
  ++prefill.watermark;
}

// The bug that having one writer makes impossible.
void write_transferring(World& world) {
  world.decode.room->vote = world.decode.room->state = TransferState::transferring;
}

void take(World& world, const Rules& rules) {
  CopyWorker& worker = world.decode.worker;
  worker.copying = pop(worker.work);
  if (rules.worker_writes_states) write_transferring(world);
}

void land(World& world, const Rules& rules) {
  CopyWorker& worker = world.decode.worker;
  if (rules.worker_writes_states) write_transferring(world);
  const Pull pull = *worker.copying;
  worker.copying.reset();
  const std::uint32_t rows = pull.first + pull.count;
  if (worker.rows[pull.layer] == pull.first) worker.rows[pull.layer] = rows;
  worker.said.push_back(
      {.key = world.decode.room->key, .kind = EvidenceKind::landed, .layer = pull.layer, .rows = rows, .words = {}});
}

void drain(World& world) {
  CopyWorker& worker = world.decode.worker;
  const Key key = world.decode.room->key;
  if (!worker.work.empty()) worker.said.push_back({.key = key, .kind = EvidenceKind::skipped, .words = {}});
  worker.said.push_back({.key = key, .kind = EvidenceKind::drained, .words = {}});
  worker.work.clear();
  worker.planned = worker.cancelled = false;
}

void cut_all(World& world, bool of_prefill) {
  for (auto it = world.links.begin(); it != world.links.end();) {
    WorldLink& link = it->second;
    link.cut = true;
    (of_prefill ? link.prefill_open : link.decode_open) = false;
    (of_prefill ? link.to_prefill : link.to_decode).clear();
    it = link.prefill_open || link.decode_open ? std::next(it) : world.links.erase(it);
  }
}

void restart_prefill(World& world) {
  cut_all(world, true);
  world.prefill = PrefillEngine{.incarnation = world.prefill.incarnation + 1};
}

void restart_decode(World& world) {
  cut_all(world, false);
  world.prefill.decode_processes_gone.push_back(world.decode.incarnation);
  CopyWorker worker;
  worker.rows.assign(world.decode.worker.rows.size(), 0);
  world.decode = DecodeEngine{.incarnation = world.decode.incarnation + 1, .worker = worker};
}

void see_process_end(World& world) {
  PrefillEngine& prefill = world.prefill;
  const Incarnation gone = prefill.decode_processes_gone.back();
  prefill.decode_processes_gone.pop_back();
  if (!prefill.room || prefill.room->key.decode != gone || prefill.safe) return;
  to_prefill(world, GiveUp{{FailureCode::peer_lost, ""}}, moment);
  to_prefill(world, ReaderGone{}, moment);
}

void add_prefill_leg(World& world, const Rules& rules) {
  PrefillEngine& prefill = world.prefill;
  prefill.added = true;
  if (prefill.tombstone) return;  // refused
  prefill.room = new_sender(the_room, prefill.incarnation, the_hash, the_tokens, rules.layers, 1);
  if (prefill.presents.empty()) return;
  const Present first = prefill.presents.begin()->second;
  prefill.presents.clear();
  for (const auto& [id, link] : world.links) {
    if (link.prefill_open && link.prefill == prefill.incarnation && link.decode == first.key.decode) prefill.link = id;
  }
  to_prefill(world, first, moment);
}

void add_decode_leg(World& world, const Rules& rules) {
  DecodeEngine& decode = world.decode;
  decode.added = true;
  decode.room = new_receiver(the_room, decode.incarnation, the_hash, the_tokens, rules.layers, 1);
  for (const auto& [id, link] : world.links) {
    if (!link.decode_open) continue;
    decode.link = id;
    return to_decode(world, PeerFound{link.prefill, ""}, moment);
  }
}

Moment far_future(const Rules& rules) {
  return {.now = std::numeric_limits<Nanos>::max(), .ignore_deadlines = rules.ignore_deadlines};
}

TransferState lowest(TransferState vote, bool other_rank_failed) {
  return other_rank_failed ? TransferState::failed : vote;
}

void do_make(World& world, const Move& move, const Rules& rules) {
  PrefillEngine& prefill = world.prefill;
  DecodeEngine& decode = world.decode;
  const GiveUp abort{{FailureCode::aborted, ""}};
  if (is_trouble(move.kind)) ++world.troubles;
  switch (move.kind) {
    case MoveKind::prefill_hears: return prefill_hears(world, move.link, pop(world.links.at(move.link).to_prefill));
    case MoveKind::decode_hears: return decode_hears(world, move.link, pop(world.links.at(move.link).to_decode));
    case MoveKind::prefill_sees_close: return prefill_sees_close(world, move.link);
    case MoveKind::decode_sees_close: return decode_sees_close(world, move.link);
    case MoveKind::prefill_sees_process_end: return see_process_end(world);
    case MoveKind::prefill_agrees:
      return to_prefill(world, Agreed{lowest(prefill.room->vote, prefill.other_rank_failed)}, moment);
    case MoveKind::decode_agrees:
      return to_decode(world, Agreed{lowest(decode.room->vote, decode.other_rank_failed)}, moment);
    case MoveKind::prefill_begins: return to_prefill(world, PagesGiven{some_pages(), {2, 2}}, moment);
    case MoveKind::prefill_computes: return compute(world, rules);
    case MoveKind::prefill_finishes: return to_prefill(world, PrefillFinished{5, std::nullopt}, moment);
    case MoveKind::worker_takes: return take(world, rules);
    case MoveKind::worker_lands: return land(world, rules);
    case MoveKind::worker_drains: return drain(world);
    case MoveKind::decode_takes_evidence: {
      const Evidence said = pop(decode.worker.said);
      return decode.safe ? void() : to_decode(world, said, moment);
    }
    case MoveKind::prefill_leg_comes: return add_prefill_leg(world, rules);
    case MoveKind::decode_leg_comes: return add_decode_leg(world, rules);
    case MoveKind::decode_connects: return connect(world);
    case MoveKind::decode_reserves: return to_decode(world, PagesTaken{some_pages()}, moment);
    case MoveKind::prefill_finishes_early: return to_prefill(world, PrefillFinished{5, FinishReason::stop}, moment);
    case MoveKind::prefill_aborts: return to_prefill(world, abort, moment);
    case MoveKind::decode_aborts: return to_decode(world, abort, moment);
    case MoveKind::prefill_deadline: return to_prefill(world, TimePassed{}, far_future(rules));
    case MoveKind::decode_deadline: return to_decode(world, TimePassed{}, far_future(rules));
    case MoveKind::link_is_cut: world.links.at(move.link).cut = true; return;
    case MoveKind::worker_errs:
      decode.worker.copying.reset();
      return decode.worker.said.push_back({.key = decode.room->key, .kind = EvidenceKind::error, .words = {}});
    case MoveKind::worker_parks: decode.worker.parked = true; return;
    case MoveKind::prefill_restarts: return restart_prefill(world);
    case MoveKind::decode_restarts: return restart_decode(world);
    case MoveKind::prefill_rank_fails: prefill.other_rank_failed = true; return;
    case MoveKind::decode_rank_fails: decode.other_rank_failed = true; return;
  }
}

// What must not change.
struct Ended {
  Incarnation incarnation;
  std::optional<TransferState> state;  // none: not terminal
};

template <typename Engine>
Ended ended(const Engine& engine) {
  const bool terminal = engine.room && engine.room->terminal();
  return {engine.incarnation, terminal ? std::optional(engine.room->state) : std::nullopt};
}

template <typename Engine>
bool changed(const Ended& before, const Engine& now) {
  return before.state && before.incarnation == now.incarnation && now.room->state != *before.state;
}

}  // namespace

World new_world(const Rules& rules) {
  World world;
  world.decode.worker.rows.assign(rules.layers, 0);
  if (!rules.starts_transferring) return world;
  for (const MoveKind kind : {MoveKind::prefill_leg_comes, MoveKind::decode_leg_comes, MoveKind::decode_connects,
                              MoveKind::prefill_hears, MoveKind::decode_hears, MoveKind::decode_reserves,
                              MoveKind::prefill_hears, MoveKind::prefill_agrees, MoveKind::prefill_begins}) {
    make(world, {kind, 1}, rules);
  }
  return world;
}

void make(World& world, const Move& move, const Rules& rules) {
  const Ended prefill = ended(world.prefill), decode = ended(world.decode);
  do_make(world, move, rules);
  if (changed(prefill, world.prefill)) violated(world, "prefill: a terminal state has changed");
  if (changed(decode, world.decode)) violated(world, "decode: a terminal state has changed");
}

}  // namespace pd
