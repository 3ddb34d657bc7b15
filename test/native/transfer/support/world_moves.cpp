#include "transfer/support/world_moves.h"

#include <algorithm>

namespace pd {

namespace {

bool live(const std::optional<SenderState>& room) { return room && !room->terminal(); }
bool live(const std::optional<ReceiverState>& room) { return room && !room->terminal(); }

// A round of votes would write something.
template <typename Room>
bool undecided(const std::optional<Room>& room, bool other_rank_failed) {
  return live(room) && (other_rank_failed || room->vote != room->state);
}

bool connected(const World& world) {
  return std::any_of(world.links.begin(), world.links.end(), [](const auto& link) { return link.second.decode_open; });
}

bool computing(const World& world) {
  return live(world.prefill.room) && world.prefill.room->vote == TransferState::transferring &&
         !world.prefill.room->finished;
}

void add_link_moves(const World& world, std::vector<Move>& moves) {
  for (const auto& [id, link] : world.links) {
    if (!link.to_prefill.empty() && link.prefill_open) moves.push_back({MoveKind::prefill_hears, id});
    if (!link.to_decode.empty() && link.decode_open) moves.push_back({MoveKind::decode_hears, id});
    if (link.cut && link.prefill_open) moves.push_back({MoveKind::prefill_sees_close, id});
    if (link.cut && link.decode_open) moves.push_back({MoveKind::decode_sees_close, id});
  }
}

void add_prefill_moves(const World& world, const Rules& rules, std::vector<Move>& moves) {
  const PrefillEngine& prefill = world.prefill;
  if (!prefill.decode_processes_gone.empty()) moves.push_back({MoveKind::prefill_sees_process_end});
  if (undecided(prefill.room, prefill.other_rank_failed)) moves.push_back({MoveKind::prefill_agrees});
  if (live(prefill.room) && prefill.queued && !prefill.room->began) moves.push_back({MoveKind::prefill_begins});
  if (computing(world)) {
    const bool all = prefill.watermark == rules.watermarks.size();
    moves.push_back({all ? MoveKind::prefill_finishes : MoveKind::prefill_computes});
  }
}

void add_worker_moves(const World& world, std::vector<Move>& moves) {
  const CopyWorker& worker = world.decode.worker;
  if (worker.planned && !worker.parked) {
    if (worker.copying)
      moves.push_back({MoveKind::worker_lands});
    else if (worker.cancelled)
      moves.push_back({MoveKind::worker_drains});
    else if (!worker.work.empty())
      moves.push_back({MoveKind::worker_takes});
  }
  if (!worker.said.empty()) moves.push_back({MoveKind::decode_takes_evidence});
}

void add_decode_moves(const World& world, std::vector<Move>& moves) {
  const DecodeEngine& decode = world.decode;
  if (undecided(decode.room, decode.other_rank_failed)) moves.push_back({MoveKind::decode_agrees});
  if (!world.prefill.added) moves.push_back({MoveKind::prefill_leg_comes});
  if (!decode.added) moves.push_back({MoveKind::decode_leg_comes});
  if (decode.added && !connected(world)) moves.push_back({MoveKind::decode_connects});
  if (decode.credited && live(decode.room) && !decode.room->reserved) moves.push_back({MoveKind::decode_reserves});
}

void add_troubles(const World& world, const Rules& rules, std::vector<Move>& moves) {
  const PrefillEngine& prefill = world.prefill;
  const DecodeEngine& decode = world.decode;
  const auto add = [&](MoveKind kind, bool possible) {
    if (possible) moves.push_back({kind});
  };
  add(MoveKind::prefill_finishes_early, computing(world));
  add(MoveKind::prefill_aborts, live(prefill.room) && prefill.room->vote != TransferState::failed);
  add(MoveKind::decode_aborts, live(decode.room) && decode.room->vote != TransferState::failed);
  add(MoveKind::prefill_deadline,
      !rules.ignore_deadlines && live(prefill.room) && due(*prefill.room, Deadlines{}).has_value());
  add(MoveKind::decode_deadline,
      !rules.ignore_deadlines && live(decode.room) && due(*decode.room, Deadlines{}).has_value());
  add(MoveKind::worker_errs, decode.worker.copying.has_value());
  add(MoveKind::worker_parks, decode.worker.copying.has_value() && !decode.worker.parked);
  add(MoveKind::prefill_restarts, rules.restarts && prefill.added && prefill.incarnation == 11);
  add(MoveKind::decode_restarts, rules.restarts && decode.added && decode.incarnation == 22);
  add(MoveKind::prefill_rank_fails, live(prefill.room) && !prefill.other_rank_failed);
  add(MoveKind::decode_rank_fails, live(decode.room) && !decode.other_rank_failed);
  for (const auto& [id, link] : world.links) {
    if (!link.cut) moves.push_back({MoveKind::link_is_cut, id});
  }
}

}  // namespace

std::vector<Move> moves_of(const World& world, const Rules& rules) {
  std::vector<Move> moves;
  add_link_moves(world, moves);
  add_prefill_moves(world, rules, moves);
  add_worker_moves(world, moves);
  add_decode_moves(world, moves);
  if (world.troubles < rules.troubles_max) add_troubles(world, rules, moves);
  return moves;
}

std::string words_of(const Move& move) {
  static constexpr const char* words[] = {"prefill hears",
                                          "decode hears",
                                          "prefill sees the link close",
                                          "decode sees the link close",
                                          "prefill sees decode's process end",
                                          "prefill's ranks agree",
                                          "decode's ranks agree",
                                          "prefill begins",
                                          "prefill computes a layer",
                                          "prefill finishes",
                                          "the worker takes a pull",
                                          "the worker lands it",
                                          "the worker drains",
                                          "decode takes evidence",
                                          "the prefill leg comes",
                                          "the decode leg comes",
                                          "decode connects",
                                          "decode reserves",
                                          "prefill finishes with a complete answer",
                                          "prefill aborts",
                                          "decode aborts",
                                          "prefill's deadline passes",
                                          "decode's deadline passes",
                                          "the link is cut",
                                          "the worker errs",
                                          "the worker parks",
                                          "prefill restarts",
                                          "decode restarts",
                                          "another prefill rank fails",
                                          "another decode rank fails"};
  return words[static_cast<std::size_t>(move.kind)];
}

}  // namespace pd
