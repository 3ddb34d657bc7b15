import type { Sample } from "../../contract/observation.ts";
import type { Deaf, Silence, Track } from "./history.ts";
import { stallFrom, stood } from "./stall.ts";

/** One more look that gave no data. */
export function seenSilence(track: Track, why: Silence["why"], nowMs: number): Track {
  const before = track.silence?.why === why ? track.silence : undefined;
  const silence: Silence = {
    why,
    sinceMs: before?.sinceMs ?? nowMs,
    atMs: nowMs,
    count: (before?.count ?? 0) + 1,
  };
  return { ...track, heardMs: nowMs, silence };
}

// Less than that of a second's CPU in a second of time is a process that does nothing: timers of a runtime take as much.
export const cpuShareIdle = 0.02;

/** One more probe that timed out, with what the kernel says. Time without word of the kernel does not count. */
export function deafAfter(before: Deaf | undefined, sample: Sample, when: { nowMs: number; gapMs: number }): Deaf {
  const { proc_state: procState, cpu_seconds_total: cpuSeconds } = sample;
  return {
    stall: before === undefined ? stallFrom(when.nowMs) : stood(before.stall, when.nowMs, when.gapMs),
    procState,
    cpuSecondsFirst: before?.cpuSecondsFirst ?? cpuSeconds,
    cpuSecondsLast: cpuSeconds ?? before?.cpuSecondsLast,
  };
}
