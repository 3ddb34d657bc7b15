import type { RequestRecord, Stage } from "../../contract/engine-http.ts";
import type { Span } from "../../contract/request-view.ts";
import type { Legs } from "./known-request.ts";

type Period = { readonly from: number | undefined; readonly to: number | undefined };

/** The stages of a request as people see them (wire.md), laid one after the other from both engines' records. */
export function spansOf(legs: Legs, arrivedUnixMs: number): Span[] {
  const { prefill, decode, both } = legs;
  const first = prefill ?? both;
  const prefilled: Period = {
    from: first?.prefillBeganUnixMs ?? began(first, "running"),
    to: first?.prefillEndedUnixMs,
  };
  const moved = transferOf(legs);
  const periods: readonly (Period & { readonly stage: Span["stage"] })[] = [
    { stage: "bootstrap", ...bootstrapOf(legs) },
    { stage: "queue", from: began(first, "waiting"), to: ended(first, "waiting") },
    { stage: "prefill", ...prefilled },
    { stage: "transfer", ...moved },
    { stage: "decode", ...decodeOf(decode, both) },
  ];
  const overlapMs = overlapOf(legs);
  return periods.flatMap(({ stage, from, to }) => {
    if (from === undefined) return [];
    const span: Span = {
      stage,
      atMs: from - arrivedUnixMs,
      ...(to === undefined ? {} : { durationMs: Math.max(0, to - from) }),
    };
    return [stage === "transfer" && overlapMs !== undefined ? { ...span, overlapMs } : span];
  });
}

// From the arrival of the first leg until decode's pages are known to prefill.
function bootstrapOf({ prefill, decode }: Legs): Period {
  const starts = [began(prefill, "bootstrap"), began(decode, "prealloc")].filter((one) => one !== undefined);
  return {
    from: starts.length === 0 ? undefined : Math.min(...starts),
    to: prefill === undefined ? ended(decode, "prealloc") : ended(prefill, "bootstrap"),
  };
}

// From prefill's end to decode's commit: what moved before is the overlap.
function transferOf({ prefill, decode }: Legs): Period {
  return {
    from: prefill === undefined ? decode?.transferBeganUnixMs : prefill.prefillEndedUnixMs,
    to: decode?.transferEndedUnixMs ?? ended(decode, "transfer") ?? ended(prefill, "inflight"),
  };
}

function decodeOf(decode: RequestRecord | undefined, both: RequestRecord | undefined): Period {
  if (decode !== undefined) return { from: began(decode, "running"), to: ended(decode, "running") };
  return { from: both?.prefillEndedUnixMs, to: ended(both, "running") };
}

function overlapOf({ prefill, decode }: Legs): number | undefined {
  const start = decode?.transferBeganUnixMs ?? prefill?.transferBeganUnixMs;
  const end = prefill?.prefillEndedUnixMs;
  return start === undefined || end === undefined ? undefined : Math.max(0, end - start);
}

function began(record: RequestRecord | undefined, stage: Stage): number | undefined {
  return record?.timeline.find((one) => one.stage === stage)?.beganUnixMs;
}

function ended(record: RequestRecord | undefined, stage: Stage): number | undefined {
  return record?.timeline.findLast((one) => one.stage === stage)?.endedUnixMs;
}
