import type { Sample } from "../../contract/observation.ts";
import type { Counter, Track } from "./history.ts";

const counters: readonly Counter[] = [
  "prompt_tokens_total",
  "generated_tokens_total",
  "transfer_bytes_total",
  "transfers_completed_total",
];

/** Which counters went up since the latest sample, and whether any did. One that went down was set back: no move. */
export function seenCounters(
  { latest, dataMs, moves: before }: Track,
  sample: Sample,
  nowMs: number,
): { readonly moves: Track["moves"]; readonly moved: boolean } {
  const moves = { ...before };
  let moved = false;
  for (const counter of counters) {
    const [was, is] = [latest?.[counter], sample[counter]];
    if (was === undefined || is === undefined || is <= was) continue;
    moved = true;
    moves[counter] = { atMs: nowMs, by: is - was, overMs: nowMs - (dataMs ?? nowMs) };
  }
  return { moves, moved };
}

const queues = ["bootstrap_queue", "waiting", "running", "inflight", "prealloc_queue", "transfer_queue"] as const;

/** Whether no request went from one queue to another, by their lengths. What is unknown in either counts as the same. */
export function sameQueues(before: Sample | undefined, now: Sample): boolean {
  if (before === undefined) return false;
  return queues.every(
    (queue) => before[queue] === undefined || now[queue] === undefined || before[queue] === now[queue],
  );
}

/** The requests in all its queues; undefined where not one of them is known. */
export function heldBy(sample: Sample | undefined): number | undefined {
  const known = queues.map((queue) => sample?.[queue]).filter((length) => length !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, length) => sum + length, 0);
}
