import type { Sample } from "../../contract/observation.ts";
import type { Deaf, Silence, Track, Turning } from "./history.ts";
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
    gpuUtil: sample.gpu_util,
  };
}

/** One more sample with data: whether the engine's own loop has turned since. */
export function turningAfter(
  before: Turning | undefined,
  sample: Sample,
  when: { nowMs: number; gapMs: number },
): Turning | undefined {
  const { loop_steps_total: steps, loop_age_s: ageS, cpu_seconds_total: cpuSeconds } = sample;
  if (steps === undefined && ageS === undefined) return undefined;
  const stands = before !== undefined && before.steps === steps && (ageS ?? 0) > 0;
  return {
    steps,
    stall: stands ? stood(before.stall, when.nowMs, when.gapMs) : stallFrom(when.nowMs),
    cpuSecondsFirst: stands ? (before.cpuSecondsFirst ?? cpuSeconds) : cpuSeconds,
    cpuSecondsLast: cpuSeconds,
  };
}

/** The share of one CPU that it took meanwhile; undefined where the kernel was not asked, or not for long enough. */
export function cpuShare({ stall, cpuSecondsFirst, cpuSecondsLast }: Deaf | Turning): number | undefined {
  if (cpuSecondsFirst === undefined || cpuSecondsLast === undefined || stall.ms <= 0) return undefined;
  return Math.max(0, cpuSecondsLast - cpuSecondsFirst) / (stall.ms / 1_000);
}
