import type { ExitLine, Sample, Watched } from "../../contract/observation.ts";
import type { Track } from "./history.ts";
import { stallFrom } from "./stall.ts";

// Where one life of a process ends and the next begins: nothing of an earlier one counts in a later one.

const exitsMax = 16;

export function born(who: Watched, nowMs: number): Track {
  return {
    who,
    bornMs: nowMs,
    generation: undefined,
    startTimeS: undefined,
    latest: undefined,
    dataMs: undefined,
    heardMs: undefined,
    silence: undefined,
    procState: undefined,
    goneMs: undefined,
    deaf: undefined,
    turning: undefined,
    moves: {},
    logsBytes: false,
    still: stallFrom(nowMs),
    startsMs: undefined,
    proven: false,
    canaryFailed: false,
    exit: undefined,
    exitsMs: [],
  };
}

/** The next life of it: of the earlier ones only their ends are known. */
export function reborn({ who, exitsMs }: Track, nowMs: number): Track {
  return { ...born(who, nowMs), exitsMs, startsMs: nowMs };
}

export function ended(track: Track, line: ExitLine, nowMs: number): Track {
  const { who, generation, bornMs, startTimeS } = track;
  const exitsMs = [...track.exitsMs, nowMs].slice(-exitsMax);
  return { ...born(who, bornMs), generation, startTimeS, exitsMs, exit: { ...line, atMs: nowMs } };
}

export function isOfAnEarlierLife({ generation, exit }: Track, sample: Sample): boolean {
  if (sample.generation === undefined || generation === undefined) return false;
  return sample.generation < generation || (exit !== undefined && sample.generation === generation);
}

export function isOfALaterLife({ generation, startTimeS, exit }: Track, sample: Sample): boolean {
  // A refused connection after an exit is the exit still.
  if (exit !== undefined) return sample.generation !== undefined || hasData(sample) || sample.health === "starting";
  if (sample.generation !== undefined && generation !== undefined) return sample.generation > generation;
  return sample.start_time !== undefined && startTimeS !== undefined && sample.start_time > startTimeS + startJitterS;
}

// A start time is computed from two clocks.
const startJitterS = 2;

/** Whether the engine itself has answered: what the kernel says of its process is no data of it. */
export function hasData(sample: Sample): boolean {
  return Object.keys(sample).some((key) => !outside.has(key));
}

const outside: ReadonlySet<string> = new Set([
  ...[
    "kind",
    "t",
    "id",
    "generation",
    "start_time",
    "health",
    "proc_state",
    "cpu_seconds_total",
    "rss_bytes",
    "gpu_util",
    "lease_s",
  ],
]);
