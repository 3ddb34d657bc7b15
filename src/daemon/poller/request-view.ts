import type { RequestRecord } from "../../contract/engine-http.ts";
import type { RequestView } from "../../contract/request-view.ts";
import { defined } from "../../lib/defined.ts";
import type { Known } from "./known-request.ts";
import { spansOf } from "./request-spans.ts";
import { stageOf } from "./request-stage.ts";

/** Puts one request together. What nobody said stays absent: unknown is never zero. */
export function viewOf(known: Known): RequestView {
  const { id, router, legs, engines, wallMs, verdict } = known;
  const records = [legs.prefill, legs.decode, legs.both].filter((leg) => leg !== undefined);
  const live = router === undefined ? records.some((leg) => leg.live) : router.outcome === "open";
  const arrivedMs = Math.min(...[router, ...records].flatMap((one) => one?.arrivedUnixMs ?? []));
  const endMs = live ? wallMs : (router?.endedUnixMs ?? latestEnd(records) ?? wallMs);
  const stage = stageOf(known);
  const ageMs = Math.max(0, endMs - arrivedMs);
  return {
    id,
    stage: stage.shown,
    live,
    arrived: new Date(arrivedMs).toISOString(),
    ageMs,
    ...defined({
      clientId: router?.clientId,
      room: router?.room ?? firstOf(records, (leg) => leg.room),
      stageAgeMs: stage.ageMs,
      prefill: router?.prefill ?? engines.prefill ?? engines.both,
      decode: router?.decode ?? engines.decode ?? engines.both,
      attempt: router?.attempt,
      promptTokens: firstOf(records, (leg) => leg.promptTokens || undefined),
      outputTokens: (legs.decode ?? legs.both)?.outputTokens,
      bytesDone: (legs.decode ?? legs.prefill)?.bytesDone,
      bytesTotal: firstOf([legs.decode, legs.prefill], (leg) => leg?.bytesTotal || undefined),
      deadline: live ? nextDeadline(known) : undefined,
      failure: failureOf(known),
      verdict: verdict?.verdict,
      cause: verdict?.cause,
    }),
    spans: spansOf(legs, arrivedMs),
  };
}

function nextDeadline({ router, legs, engines }: Known): RequestView["deadline"] {
  const waits = (["prefill", "decode", "both"] as const).flatMap((role) => {
    const deadline = legs[role]?.deadline;
    return deadline === undefined ? [] : [{ ...deadline, engine: engines[role] ?? role }];
  });
  const routed = router?.deadline === undefined ? [] : [{ ...router.deadline, engine: "router" }];
  return [...waits, ...routed].sort((a, b) => a.inMs - b.inMs)[0];
}

// The router's word comes first: it is what the client was told.
function failureOf({ router, legs }: Known): RequestView["failure"] {
  if (router?.outcome === "answered") return undefined;
  if (router?.failure !== undefined) return router.failure;
  if (router?.outcome === "client-gone")
    return { code: "aborted", words: "the client left before the answer was whole" };
  // After decode has committed, a failure of prefill is only a lost acknowledgement.
  if (legs.decode?.state === "Success" && legs.decode.failure === undefined) return undefined;
  return legs.decode?.failure ?? legs.prefill?.failure ?? legs.both?.failure;
}

function latestEnd(records: readonly RequestRecord[]): number | undefined {
  const ends = records.flatMap((leg) => leg.timeline.at(-1)?.endedUnixMs ?? leg.timeline.at(-1)?.beganUnixMs ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function firstOf<T, V>(items: readonly T[], pick: (item: T) => V | undefined): V | undefined {
  for (const item of items) {
    const found = pick(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
