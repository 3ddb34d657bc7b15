import { every, type Fields, type Line, open, recording, restingDecode, restingPrefill, sample } from "./recording.ts";

const stuckPrefill: Fields = { ...restingPrefill, inflight: 1 };
const stuckDecode: Fields = { ...restingDecode, transfer_queue: 1 };

function router(t: number, more: readonly Line[] = [open("r1", t + 1)]): Line {
  return { kind: "sample", t, id: "R", open: more };
}

/** S01: one transfer stands, everything answers, and nothing is said of it. */
export function classicWedge({ toS = 90, withRouter = true }: { toS?: number; withRouter?: boolean } = {}) {
  return recording(every(5, 0, toS), (t) => [
    sample(t, "P1", stuckPrefill),
    sample(t, "D1", stuckDecode),
    ...(withRouter ? [router(t)] : []),
  ]);
}

/** S01 as native engines show it: every request by its room. */
export function classicWedgeByRequest({ toS = 90 } = {}) {
  return recording(every(5, 0, toS), (t) => [
    sample(t, "P1", { ...stuckPrefill, requests: [leg("inflight", t)] }),
    sample(t, "D1", { ...stuckDecode, requests: [leg("transfer", t)] }),
    router(t),
  ]);
}

export function leg(
  stage: "bootstrap" | "waiting" | "running" | "inflight" | "prealloc" | "transfer",
  t: number,
  more: Line = {},
) {
  return { id: "r1", room: "7", stage, stage_age_s: t + 1, bytes_done: 607_488, bytes_total: 4_194_304, ...more };
}

/** S39: S01 where nobody counts bytes. */
export function blindWedge({ toS = 150 } = {}) {
  const { transfer_bytes_total: _, ...blind } = stuckPrefill;
  return recording(every(5, 0, toS), (t) => [sample(t, "P1", blind), sample(t, "D1", stuckDecode), router(t)]);
}

/** An orphan: decode holds nothing at all. */
export function orphanByCounts({ toS = 60 } = {}) {
  return recording(every(5, 0, toS), (t) => [
    sample(t, "P1", stuckPrefill),
    sample(t, "D1", restingDecode),
    router(t, []),
  ]);
}

/** The same with the requests by name. */
export function orphanByRequest({ toS = 30 } = {}) {
  return recording(every(5, 0, toS), (t) => [
    sample(t, "P1", { ...stuckPrefill, requests: [leg("inflight", t)] }),
    sample(t, "D1", { ...restingDecode, requests: [] }),
    router(t, []),
  ]);
}

/** S38: one request stands for ten minutes while others come and go, three a second. */
export function oneStuckAmongMany({ toS = 120 } = {}) {
  return recording(every(5, 0, toS), (t) => {
    const other = { ...leg("inflight", 0), id: `o${t}`, room: `${1_000 + t}`, bytes_done: 1_000 };
    const counted = { transfers_completed_total: 3 * t, transfer_bytes_total: 1_000_000 * t };
    return [
      sample(t, "P1", {
        ...stuckPrefill,
        ...counted,
        inflight: 2,
        prompt_tokens_total: 900 * t,
        requests: [leg("inflight", t), other],
      }),
      sample(t, "D1", {
        ...{ ...stuckDecode, running: 4, generated_tokens_total: 300 * t },
        requests: [leg("transfer", t), { ...other, stage: "transfer" }],
      }),
      router(t, [open("r1", t + 480), open(`o${t}`, 0, { room: `${1_000 + t}` })]),
    ];
  });
}

/** S40: decode is stopped by a signal while prefill holds a transfer to it. */
export function frozenDecode(process: Fields | ((t: number) => Fields), { toS = 90 } = {}) {
  return recording(every(5, 0, toS), (t) => [
    sample(t, "P1", stuckPrefill),
    sample(t, "D1", { health: "timeout", ...(typeof process === "function" ? process(t) : process) }),
    router(t),
  ]);
}

/** Prefill waits for addresses of a decode engine that does not know the room. */
export function bootstrapStall({ toS = 90 } = {}) {
  return recording(every(5, 0, toS), (t) => [
    sample(t, "P1", { ...restingPrefill, bootstrap_queue: 1, requests: [{ ...leg("bootstrap", t), bytes_done: 0 }] }),
    sample(t, "D1", { ...restingDecode, requests: [] }),
    router(t),
  ]);
}

/** Decode's HTTP answers from a thread of its own while the loop stands in a step. */
export function stuckLoop({ toS = 90 } = {}) {
  return recording(every(5, 0, toS), (t) => [
    sample(t, "P1", restingPrefill),
    sample(t, "D1", {
      ...{ ...restingDecode, running: 1 },
      ...{ loop_age_s: t + 0.5, loop_steps_total: 900, cpu_seconds_total: 12, requests: [leg("running", t)] },
    }),
    router(t),
  ]);
}
