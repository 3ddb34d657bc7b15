#include "transfer/support/world_checks.h"

#include <algorithm>

#include "transfer/support/world_moves.h"

namespace pd {

namespace {

void check_pages(World& world) {
  const auto& sender = world.prefill.room;
  const auto& receiver = world.decode.room;
  const CopyWorker& worker = world.decode.worker;
  const bool may_touch = worker.planned;
  if (!receiver || !may_touch) return;
  if (receiver->hands == PageHands::none)
    violated(world, "decode: its pages are let go while the worker may write them");
  const bool same_process = receiver->key.prefill == world.prefill.incarnation;
  if (!same_process) return;  // what is mapped is the memory of the process that has ended
  if (!sender || sender->key != receiver->key || sender->hands == PageHands::none) {
    violated(world, "prefill: its pages are let go while decode's worker may read them");
  }
}

void check_commit(World& world) {
  const auto& receiver = world.decode.room;
  if (!receiver || receiver->state != TransferState::success || !receiver->final_word) return;
  if (receiver->final_word->finish_reason) return;
  const auto& rows = world.decode.worker.rows;
  if (std::any_of(rows.begin(), rows.end(), [](std::uint32_t landed) { return landed != the_tokens; })) {
    violated(world, "decode: committed with rows missing");
  }
}

void check_outcomes(World& world) {
  const auto& sender = world.prefill.room;
  if (!sender || sender->state != TransferState::success) return;
  if (std::find(world.commits.begin(), world.commits.end(), sender->key) == world.commits.end()) {
    violated(world, "prefill: success without a commit of decode");
  }
}

void check_holds(World& world) {
  const auto& sender = world.prefill.room;
  const auto& receiver = world.decode.room;
  if (sender && sender->hands == PageHands::held && sender->state != TransferState::failed)
    violated(world, "prefill: holds without a failure");
  if (receiver && receiver->hands == PageHands::held && receiver->state != TransferState::failed)
    violated(world, "decode: holds without a failure");
  if (sender && sender->terminal() && !world.prefill.told)
    violated(world, "prefill: an end that the host was not told");
  if (receiver && receiver->terminal() && !world.decode.told)
    violated(world, "decode: an end that the host was not told");
}

// Everything goes on that goes on by itself.
void settle(World& world, const Rules& rules) {
  while (world.violation.empty()) {
    const std::vector<Move> moves = moves_of(world, rules);
    const auto next =
        std::find_if(moves.begin(), moves.end(), [](const Move& move) { return goes_on_by_itself(move.kind); });
    if (next == moves.end()) return;
    make(world, *next, rules);
    check(world);
  }
}

void let_deadlines_fire(World& world, const Rules& rules) {
  if (world.prefill.room && !world.prefill.room->terminal()) make(world, {MoveKind::prefill_deadline}, rules);
  if (world.decode.room && !world.decode.room->terminal()) make(world, {MoveKind::decode_deadline}, rules);
  settle(world, rules);
}

// Links that were cut are seen to be, and decode dials again where words may be lost.
void reconnect(World& world, const Rules& rules) {
  const bool open =
      std::any_of(world.links.begin(), world.links.end(), [](const auto& link) { return link.second.decode_open; });
  if (!open && world.decode.added) connect(world);
  settle(world, rules);
}

}  // namespace

void check(World& world) {
  check_pages(world);
  check_commit(world);
  check_outcomes(world);
  check_holds(world);
}

std::string stall_of(World world, Rules rules) {
  rules.troubles_max = 0;
  settle(world, rules);
  let_deadlines_fire(world, rules);
  const auto& sender = world.prefill.room;
  const auto& receiver = world.decode.room;
  if (!world.violation.empty()) return world.violation;
  if (sender && !sender->terminal()) return std::string("prefill never ends: stall in ") + name_of(sender->vote);
  if (receiver && !receiver->terminal()) return std::string("decode never ends: stall in ") + name_of(receiver->vote);
  const bool was_parked = world.decode.worker.parked;
  world.decode.worker.parked = false;
  settle(world, rules);
  reconnect(world, rules);
  if (!world.violation.empty()) return world.violation;
  const std::string when = was_parked ? " after its worker went on" : "";
  if (sender && sender->hands != PageHands::none) return "prefill keeps pages for ever" + when;
  if (receiver && receiver->hands != PageHands::none) return "decode keeps pages for ever" + when;
  if (sender && !world.prefill.safe) return "prefill's host is never told that its pages are safe" + when;
  if (receiver && !world.decode.safe) return "decode's host is never told that its pages are safe" + when;
  return "";
}

}  // namespace pd
