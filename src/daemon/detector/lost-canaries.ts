import type { Observation } from "../../contract/observation.ts";
import type { EdgeTrack } from "./history.ts";

type Passing = {
  readonly seen: readonly Observation[];
  /** The router has counted another answer over it. */
  readonly answered: boolean;
  /** When the younger of both ends came to be: what was lost before is of an earlier life. */
  readonly bornMs: number;
  readonly nowMs: number;
};

/** How many canaries in a row an edge has lost. One that found no room says nothing, for or against it. */
export function lostCanaries(
  { prefill, decode, lost }: Pick<EdgeTrack, "prefill" | "decode" | "lost">,
  { seen, answered, bornMs, nowMs }: Passing,
): EdgeTrack["lost"] {
  const canary = seen.findLast(
    (one) => one.kind === "canary" && one.edge === `${prefill}:${decode}` && one.result !== "busy",
  );
  const before = answered || (lost !== undefined && lost.sinceMs < bornMs) ? undefined : lost;
  if (canary?.kind !== "canary") return before;
  return canary.result === "ok" ? undefined : { count: (before?.count ?? 0) + 1, sinceMs: before?.sinceMs ?? nowMs };
}
