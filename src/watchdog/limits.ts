import type { FleetConfig } from "../contract/config.ts";
import { durationMs } from "../contract/units.ts";

/** How long the watchdog waits for what. */
export type Limits = {
  readonly pollMs: number;
  /** A heartbeat that stands still that long, while this process ran, is a frozen daemon's. */
  readonly heartbeatMs: number;
  /** The same for one that has not beaten yet: it may still read its journal. */
  readonly firstBeatMs: number;
  /** An inflight request older than that is the watchdog's, not only the daemon's. */
  readonly hardMs: number;
  /** Nothing progresses: no counter has moved for that long. */
  readonly quietMs: number;
  /** How long the effect of a fail may take. */
  readonly effectMs: number;
  readonly coRestartEveryMs: number;
};

const heartbeatMs = 15_000;
const effectMs = 30_000;
const firstBeatMs = 60_000;
const coRestartEveryMs = 3_600_000;

/**
 * From the configuration; the rest is fixed. Test fleets (PDCTL_TEST_LIMITS=1) may shorten each, as in
 * PDCTL_TEST_WATCHDOG="heartbeat=2s hard=5s quiet=2s effect=3s first-beat=10s co-restart-every=10s".
 */
export function limitsOf({ policy, watchdog }: FleetConfig, env: Readonly<Record<string, string | undefined>>): Limits {
  const shortened = env["PDCTL_TEST_LIMITS"] === "1" ? wordsOf(env["PDCTL_TEST_WATCHDOG"] ?? "") : {};
  return {
    pollMs: policy.poll,
    heartbeatMs: shortened["heartbeat"] ?? heartbeatMs,
    firstBeatMs: shortened["first-beat"] ?? firstBeatMs,
    hardMs: shortened["hard"] ?? watchdog["hard-limit"],
    quietMs: shortened["quiet"] ?? policy.wedge,
    effectMs: shortened["effect"] ?? effectMs,
    coRestartEveryMs: shortened["co-restart-every"] ?? coRestartEveryMs,
  };
}

function wordsOf(text: string): Partial<Record<string, number>> {
  const pairs = text.split(/\s+/).map((word) => word.split("="));
  return Object.fromEntries(pairs.flatMap(([key = "", value = ""]) => pairOf(key, durationMs(value))));
}

function pairOf(key: string, ms: number | undefined): [string, number][] {
  return ms === undefined ? [] : [[key, ms]];
}
