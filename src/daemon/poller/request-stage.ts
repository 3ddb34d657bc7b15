import type { RequestRecord } from "../../contract/engine-http.ts";
import type { ShownStage } from "../../contract/request-view.ts";
import type { Known } from "./known-request.ts";

export type StageNow = { readonly shown: ShownStage; readonly ageMs?: number };

/** Where a request is, in the words of wire.md. */
export function stageOf({ router, legs, partial }: Known): StageNow {
  const settled = router === undefined ? undefined : outcomeStage[router.outcome];
  if (settled !== undefined) return { shown: settled };
  // What engines say is of the attempt before.
  if (router?.held === true) return { shown: "queue" };
  const { prefill, decode, both } = legs;
  if (both !== undefined) return ofBoth(both);
  if (decode !== undefined && decode.stage !== "prealloc" && decode.stage !== "transfer") return ofDecode(decode);
  if (prefill !== undefined) return ofPrefill(prefill, decode);
  if (decode !== undefined)
    return { shown: decode.stage === "prealloc" ? "bootstrap" : "transfer", ageMs: decode.stageAgeMs };
  // The router has sent it; engines that answered do not know it yet.
  return { shown: partial ? "unknown" : "bootstrap" };
}

const outcomeStage = {
  open: undefined,
  answered: "finished",
  failed: "failed",
  "client-gone": "failed",
} as const satisfies Record<string, ShownStage | undefined>;

function ofPrefill(record: RequestRecord, decode: RequestRecord | undefined): StageNow {
  switch (record.stage) {
    case "bootstrap":
    case "prealloc":
      return { shown: "bootstrap", ageMs: record.stageAgeMs };
    case "waiting":
      return { shown: "queue", ageMs: record.stageAgeMs };
    case "running":
      return { shown: "prefill", ageMs: record.stageAgeMs };
    case "inflight":
    case "transfer":
      return { shown: "transfer", ageMs: record.stageAgeMs };
    case "finished":
      // Prefill has its acknowledgement a moment before decode's next snapshot.
      return decode === undefined ? { shown: "decode" } : { shown: "transfer", ageMs: decode.stageAgeMs };
    case "failed":
      return { shown: "failed", ageMs: record.stageAgeMs };
  }
}

function ofDecode(record: RequestRecord): StageNow {
  switch (record.stage) {
    case "finished":
    case "failed":
      return { shown: record.stage, ageMs: record.stageAgeMs };
    case "bootstrap":
    case "prealloc":
    case "transfer":
    case "inflight":
    case "waiting":
    case "running":
      return { shown: "decode", ageMs: record.stageAgeMs };
  }
}

function ofBoth(record: RequestRecord): StageNow {
  switch (record.stage) {
    case "finished":
    case "failed":
      return { shown: record.stage, ageMs: record.stageAgeMs };
    case "running":
      return { shown: record.prefillEndedUnixMs === undefined ? "prefill" : "decode", ageMs: record.stageAgeMs };
    case "bootstrap":
    case "prealloc":
    case "transfer":
    case "inflight":
    case "waiting":
      return { shown: "queue", ageMs: record.stageAgeMs };
  }
}
