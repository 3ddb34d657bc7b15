#pragma once
// What the engine says of itself and of each request: plain values, copied from the loop's snapshot.
// Times are milliseconds; *_unix_ms are wall clock, for people and for merging two engines' records.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/failure.h"
#include "core/ids.h"
#include "core/role.h"
#include "core/transfer_state.h"

namespace pd {

// The engine's own words. prefill: bootstrap waiting running inflight; decode: prealloc transfer waiting
// running; both: waiting running. Then finished or failed.
enum class Stage { bootstrap, prealloc, waiting, running, inflight, transfer, finished, failed };
const char* name_of(Stage stage);

struct StageTime {
  Stage stage = Stage::waiting;
  double began_unix_ms = 0;
  std::optional<double> ended_unix_ms;
};

struct RequestRecord {
  std::string id;
  Room room = 0;  // 0: role both
  Stage stage = Stage::waiting;
  std::optional<TransferState> state;  // none: role both
  double arrived_unix_ms = 0, age_ms = 0, stage_age_ms = 0;
  std::uint32_t prompt_tokens = 0, tokens_max = 0, rows_computed = 0, output_tokens = 0;
  std::uint64_t bytes_done = 0, bytes_total = 0;  // of KV; decode counts what has landed, prefill what it announced
  std::string peer;                               // address of the other engine, once connected
  std::string deadline;  // the one that fires next: bootstrap, waiting, inflight, queue; empty: none
  double deadline_in_ms = 0;
  std::vector<StageTime> timeline;  // in order
  std::optional<double> first_token_unix_ms;
  std::optional<double> prefill_began_unix_ms, prefill_ended_unix_ms;    // prefill and both
  std::optional<double> transfer_began_unix_ms, transfer_ended_unix_ms;  // first rows announced or landed … commit
  std::optional<Failure> failure;
  bool live = true;
  std::uint32_t pages = 0, pages_held = 0;
};

struct QueueCounts { std::uint32_t bootstrap = 0, waiting = 0, running = 0, inflight = 0, prealloc = 0, transfer = 0; };

struct EngineState {
  Role role = Role::both;
  Incarnation incarnation = 0;
  double loop_age_ms = 0;  // since the loop last turned
  std::uint64_t steps = 0;
  QueueCounts queues;
  double inflight_oldest_ms = 0;  // 0 with inflight 0
  std::uint32_t pages_total = 0, pages_free = 0, pages_live = 0, pages_held = 0;
  std::uint64_t requests_total = 0, finished_total = 0, failed_total = 0, aborted_total = 0;
  std::uint64_t bootstrap_failed_total = 0, transfer_failed_total = 0, transfers_completed_total = 0;
  std::uint64_t transfer_bytes_total = 0, prompt_tokens_total = 0, generated_tokens_total = 0;
  std::uint64_t ack_lost_total = 0, frames_stale_total = 0, frames_hostile_total = 0, handshakes_refused_total = 0;
  std::uint32_t links = 0;
  bool draining = false;
  std::string pages_wrong;  // what PagePool::check said last; empty is right
};

}  // namespace pd
