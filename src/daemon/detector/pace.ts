import { durationMs } from "../../contract/units.ts";

/** How the observer itself keeps time: the step between ticks, and whether it has slept. */
export type Pace = {
  readonly pollMs: number;
  /** The latest steps between ticks that saw something. */
  readonly stepsMs: readonly number[];
  readonly lastMs: number | undefined;
  /** When it last woke up late, and after how long. */
  readonly lateMs: number | undefined;
  readonly sleptMs: number;
};

// After the observer has slept, what it sees first is not what is: nothing destructive for that long.
export const calmMs = 60_000;
const latePolls = 10;
// Below a poll of a second a loaded machine alone makes ten of them.
const lateMsMin = 10_000;
const stepsMax = 9;
// A probe may take 3 s; a target that is slow to answer is not one that is missing.
const slowProbeMs = 4_000;

/** `poll` of a policy as pdctl.yaml spells it, or milliseconds. */
export function pollMsOf(poll: unknown): number {
  const ms = typeof poll === "string" ? durationMs(poll) : typeof poll === "number" ? poll : undefined;
  return ms === undefined || ms <= 0 ? 1_000 : ms;
}

/** One more tick that saw something. */
export function nextTick(pace: Pace, nowMs: number): Pace {
  if (pace.lastMs === undefined) return { ...pace, lastMs: nowMs };
  const stepMs = nowMs - pace.lastMs;
  if (stepMs > Math.max(latePolls * stepOf(pace), lateMsMin)) {
    return { ...pace, lastMs: nowMs, lateMs: nowMs, sleptMs: stepMs };
  }
  return { ...pace, lastMs: nowMs, stepsMs: [...pace.stepsMs, stepMs].slice(-stepsMax) };
}

/** The step that is normal here: the policy's poll, or what it has become where every tick takes longer. */
export function stepOf({ pollMs, stepsMs }: Pace): number {
  if (stepsMs.length < stepsKnown) return pollMs;
  const middle = stepsMs.toSorted((a, b) => a - b)[Math.floor(stepsMs.length / 2)];
  return Math.max(pollMs, middle ?? pollMs);
}

const stepsKnown = 3;

/** Longer than that between two looks is a gap. */
export function gapOf(pace: Pace): number {
  const stepMs = stepOf(pace);
  return Math.max(2.5 * stepMs, stepMs + slowProbeMs);
}

/** A sample up to that old is one of this tick: targets are polled on a pace of their own. */
export function freshOf(pace: Pace): number {
  const stepMs = stepOf(pace);
  return Math.max(1.5 * stepMs, stepMs + 1_000);
}
