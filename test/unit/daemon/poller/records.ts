import type { RequestRecord, Stage } from "../../../../src/contract/engine-http.ts";
import type { RouterRequest } from "../../../../src/contract/router-http.ts";

/** Stages with the time that each begins; the last one goes on, or is terminal. */
export type Steps = readonly (readonly [Stage, number])[];

/** A record as an engine would write it, from the stages that it went through. */
export function record(id: string, steps: Steps, more: Partial<RequestRecord> = {}): RequestRecord {
  const [stage, beganUnixMs] = steps.at(-1) ?? ["waiting", 0];
  const over = stage === "finished" || stage === "failed";
  return {
    id,
    stage,
    arrivedUnixMs: steps[0]?.[1] ?? 0,
    ageMs: 0,
    stageAgeMs: 7,
    promptTokens: 0,
    tokensMax: 16,
    rowsComputed: 0,
    outputTokens: 0,
    bytesDone: 0,
    bytesTotal: 0,
    timeline: steps.map(([name, began], index) => {
      const next = steps[index + 1]?.[1] ?? (over ? beganUnixMs : undefined);
      return { stage: name, beganUnixMs: began, ...(next === undefined ? {} : { endedUnixMs: next }) };
    }),
    live: !over,
    pages: 0,
    pagesHeld: 0,
    ...more,
  };
}

export function routed(id: string, more: Partial<RouterRequest> = {}): RouterRequest {
  return {
    id,
    room: "77",
    prefill: "p0",
    decode: "d0",
    attempt: 1,
    path: "/v1/completions",
    stream: true,
    arrivedUnixMs: 1_000,
    ageMs: 0,
    bytes: 0,
    committed: false,
    outcome: "open",
    ...more,
  };
}
