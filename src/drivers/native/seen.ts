import type { EngineState, RequestRecord } from "../../contract/engine-http.ts";
import type { Sample, SeenRequest } from "../../contract/observation.ts";

/** What a probe of an engine adds to its sample. */
export type EngineSeen = Omit<Sample, "kind" | "t" | "id">;

type Live = Omit<RequestRecord, "timeline" | "deadline">;

/** An engine's own words as the fields of a sample. */
export function seenOf(state: EngineState, live: readonly Live[]): EngineSeen {
  const { totals, pages, inflightOldestMs } = state;
  return {
    ...queuesOf(state),
    ...(inflightOldestMs === undefined ? {} : { inflight_oldest_s: inflightOldestMs / 1_000 }),
    draining: state.draining,
    loop_age_s: state.loopAgeMs / 1_000,
    loop_steps_total: state.steps,
    ...(pages.total === 0 ? {} : { kv_usage: clamp((pages.total - pages.free) / pages.total) }),
    prompt_tokens_total: totals.promptTokens,
    generated_tokens_total: totals.generatedTokens,
    transfers_completed_total: totals.transfersCompleted,
    // The engine counts a transfer when its request ends; what has moved of those that go on comes on top.
    transfer_bytes_total: totals.transferBytes + live.reduce((sum, { bytesDone }) => sum + bytesDone, 0),
    bootstrap_failed_total: totals.bootstrapFailed,
    transfer_failed_total: totals.transferFailed,
    aborted_total: totals.aborted,
    requests: oldestFirst(live).slice(0, requestsMax).map(seenRequest),
  };
}

// Far beyond what an engine runs at once; whoever waits longest is kept.
const requestsMax = 2_000;

/** Only the queues that the role has: a prefill engine has no prealloc queue, not an empty one. */
function queuesOf({ role, queues }: EngineState): EngineSeen {
  const { bootstrap, prealloc, transfer, waiting, running, inflight } = queues;
  switch (role) {
    case "prefill":
      return { bootstrap_queue: bootstrap, waiting, running, inflight };
    case "decode":
      return { prealloc_queue: prealloc, transfer_queue: transfer, waiting, running };
    case "both":
      return { waiting, running };
  }
}

function seenRequest(record: Live): SeenRequest {
  const { stage } = record;
  return {
    id: record.id,
    ...(record.room === undefined ? {} : { room: record.room }),
    ...(stage === "finished" || stage === "failed" ? {} : { stage }),
    age_s: record.ageMs / 1_000,
    stage_age_s: record.stageAgeMs / 1_000,
    // Zero means that it is not known yet.
    ...(record.promptTokens === 0 ? {} : { prompt_tokens: record.promptTokens }),
    output_tokens: record.outputTokens,
    rows_computed: record.rowsComputed,
    bytes_done: record.bytesDone,
    ...(record.bytesTotal === 0 ? {} : { bytes_total: record.bytesTotal }),
    ...(record.peer === undefined ? {} : { peer: record.peer }),
  };
}

function oldestFirst(live: readonly Live[]): readonly Live[] {
  return live.toSorted((a, b) => b.stageAgeMs - a.stageAgeMs);
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
