import type { EdgeLine, Sample } from "../../contract/observation.ts";
import type { RouterRequest, RouterState } from "../../contract/router-http.ts";

/** What a probe of the router adds to its sample, and what it says of each edge. */
export type RouterSeen = {
  readonly fields: Pick<Sample, "open" | "dispatched_total">;
  readonly edges: readonly Omit<EdgeLine, "kind" | "t" | "bytes_total">[];
  /** Ids of the canaries that are on their way. */
  readonly canaries: readonly string[];
};

/** The router's own words as an observation's. The canaries of pdctl are not among the open ones. */
export function seenOf({ edges }: RouterState, live: readonly RouterRequest[]): RouterSeen {
  const clients = live.filter(({ canary }) => canary !== true);
  return {
    fields: { open: oldestFirst(clients).slice(0, openMax).map(openOf), dispatched_total: dispatched(edges) },
    edges: edges.map(({ prefill, decode, attemptsTotal, okTotal }) => ({
      prefill,
      decode,
      attempts_total: attemptsTotal,
      ok_total: okTotal,
    })),
    canaries: live.flatMap(({ id, canary }) => (canary === true ? [id] : [])),
  };
}

// Above what the router takes at once.
const openMax = 2_000;

function openOf({ id, room, prefill, decode, ageMs, bytes }: RouterRequest): NonNullable<Sample["open"]>[number] {
  return {
    id,
    ...(room === undefined ? {} : { room }),
    // One that is held is on no engine.
    ...(prefill === undefined ? {} : { prefill }),
    ...(decode === undefined ? {} : { decode }),
    age_s: ageMs / 1_000,
    bytes,
  };
}

function oldestFirst(live: readonly RouterRequest[]): readonly RouterRequest[] {
  return live.toSorted((a, b) => b.ageMs - a.ageMs);
}

function dispatched(edges: RouterState["edges"]): Record<string, number> {
  const totals = new Map<string, number>();
  for (const { prefill, decode, attemptsTotal } of edges)
    for (const name of new Set([prefill, decode])) totals.set(name, (totals.get(name) ?? 0) + attemptsTotal);
  return Object.fromEntries(totals);
}
