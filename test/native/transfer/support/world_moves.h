#pragma once
// What can happen next in a world.

#include "transfer/support/world.h"

namespace pd {

enum class MoveKind : std::uint8_t {
  // What goes on by itself, sooner or later.
  prefill_hears,
  decode_hears,
  prefill_sees_close,
  decode_sees_close,
  prefill_sees_process_end,
  prefill_agrees,
  decode_agrees,
  prefill_begins,
  prefill_computes,
  prefill_finishes,
  worker_takes,
  worker_lands,
  worker_drains,
  decode_takes_evidence,
  // What somebody may do, or never.
  prefill_leg_comes,
  decode_leg_comes,
  decode_connects,
  decode_reserves,
  // Troubles.
  prefill_finishes_early,
  prefill_aborts,
  decode_aborts,
  prefill_deadline,
  decode_deadline,
  link_is_cut,
  worker_errs,
  worker_parks,
  prefill_restarts,
  decode_restarts,
  prefill_rank_fails,
  decode_rank_fails,
};

struct Move {
  MoveKind kind = MoveKind::prefill_hears;
  std::uint32_t link = 0;
};

constexpr bool goes_on_by_itself(MoveKind kind) { return kind <= MoveKind::decode_takes_evidence; }
constexpr bool is_trouble(MoveKind kind) { return kind >= MoveKind::prefill_finishes_early; }

World new_world(const Rules& rules);
std::string words_of(const Move& move);
std::vector<Move> moves_of(const World& world, const Rules& rules);
void make(World& world, const Move& move, const Rules& rules);

}  // namespace pd
