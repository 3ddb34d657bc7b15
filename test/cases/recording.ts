import type { Sample } from "../../src/contract/observation.ts";

/** A line of a recording. */
export type Line = Readonly<Record<string, unknown>>;

export type Fields = Partial<Omit<Sample, "kind" | "t" | "id">>;

/** The policy by which the cases are told: a sample every 5 s, the usual limits. */
export const usualPolicy = { poll: "5s", suspect: "30s", wedge: "60s" } as const;

export type Watched = { readonly id: string; readonly role: string; readonly driver: string } & Line;

export const pair: readonly Watched[] = [
  { id: "P1", role: "prefill", driver: "native" },
  { id: "D1", role: "decode", driver: "native" },
  { id: "R", role: "router", driver: "embedded" },
];

export function fleetLine(engines: readonly Watched[] = pair, policy: Line = usualPolicy, facts: Line = {}): Line {
  return { kind: "fleet", version: 1, engines, policy, facts };
}

export function sample(t: number, id: string, fields: Fields): Line {
  return { kind: "sample", t, id, ...fields };
}

/** What a prefill engine and a decode engine at rest say. */
export const restingPrefill: Fields = {
  ...{ health: "ok", bootstrap_queue: 0, waiting: 0, running: 0, inflight: 0 },
  ...{ prompt_tokens_total: 4_096, transfer_bytes_total: 607_488 },
};
export const restingDecode: Fields = {
  ...{ health: "ok", prealloc_queue: 0, transfer_queue: 0, waiting: 0, running: 0 },
  ...{ generated_tokens_total: 512, kv_usage: 0.1 },
};

/** The times from `fromS` to `toS`, both included. */
export function every(stepS: number, fromS: number, toS: number): readonly number[] {
  return Array.from({ length: Math.floor((toS - fromS) / stepS) + 1 }, (_, index) => fromS + index * stepS);
}

/** A recording: the fleet, then what `at` says of each time. */
export function recording(
  times: readonly number[],
  at: (t: number) => readonly Line[],
  fleet = fleetLine(),
): readonly string[] {
  return [fleet, ...times.flatMap(at)].map((line) => JSON.stringify(line));
}

/** A request that the router holds open on P1:D1. */
export function open(id: string, ageS: number, more: Line = {}): Line {
  return { id, room: "7", prefill: "P1", decode: "D1", age_s: ageS, bytes: 0, ...more };
}
