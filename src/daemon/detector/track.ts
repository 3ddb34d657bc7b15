import type { CanaryLine, ExitLine, Observation, Sample, Watched } from "../../contract/observation.ts";
import { sameQueues, seenCounters } from "./counters.ts";
import type { History, Silence, Track } from "./history.ts";
import { seenLog } from "./log-line.ts";
import { gapOf } from "./pace.ts";
import { deafAfter, seenSilence, turningAfter } from "./silence.ts";
import { stallFrom, stood } from "./stall.ts";

const exitsMax = 16;

/** What is known of each engine and of the router after this tick's observations. */
export function seenTracks(history: History, seen: readonly Observation[]): History {
  const tracks = new Map(history.tracks);
  const gapMs = gapOf(history.pace);
  for (const one of seen) {
    if (one.kind === "canary") seenCanary(tracks, one);
    if (one.kind === "log") seenLog(tracks, one, history.nowMs);
    if (one.kind !== "sample" && one.kind !== "scrape" && one.kind !== "exit") continue;
    const who = history.fleet.engines.find(({ id }) => id === one.id) ?? unlistedRouter(one);
    if (who === undefined) continue;
    const before = tracks.get(one.id) ?? born(who, history.nowMs);
    if (one.kind === "exit") tracks.set(one.id, ended(before, one, history.nowMs));
    else if (one.kind === "sample") tracks.set(one.id, sampled(before, one, { nowMs: history.nowMs, gapMs }));
    else tracks.set(one.id, seenSilence(before, silentBy(one), history.nowMs));
  }
  return { ...history, tracks };
}

/** Nobody else holds requests open: a router needs no place in the list. */
function unlistedRouter(one: Observation): Watched | undefined {
  return one.kind === "sample" && one.open !== undefined ? { id: one.id, role: "router", driver: "none" } : undefined;
}

/** After the observer has slept: nothing that stood still before counts. */
export function anew(history: History, nowMs: number): History {
  const tracks = [...history.tracks].map(([name, track]): [string, Track] => [
    name,
    { ...track, still: stallFrom(nowMs), silence: undefined, deaf: undefined, turning: undefined, moves: {} },
  ]);
  const edges = [...history.edges].map(([key, edge]): [string, typeof edge] => [
    key,
    { ...edge, still: stallFrom(nowMs) },
  ]);
  return { ...history, nowMs, tracks: new Map(tracks), edges: new Map(edges), requests: new Map() };
}

function born(who: Watched, nowMs: number): Track {
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
function reborn({ who, exitsMs }: Track, nowMs: number): Track {
  return { ...born(who, nowMs), exitsMs, startsMs: nowMs };
}

function ended(track: Track, line: ExitLine, nowMs: number): Track {
  const { who, generation, bornMs, startTimeS } = track;
  const exitsMs = [...track.exitsMs, nowMs].slice(-exitsMax);
  return { ...born(who, bornMs), generation, startTimeS, exitsMs, exit: { ...line, atMs: nowMs } };
}

type When = { readonly nowMs: number; readonly gapMs: number };

function sampled(track: Track, sample: Sample, when: When): Track {
  if (isOfAnEarlierLife(track, sample)) return track;
  const life = isOfALaterLife(track, sample) ? reborn(track, when.nowMs) : track;
  const named: Track = {
    ...life,
    generation: sample.generation ?? life.generation,
    startTimeS: sample.start_time ?? life.startTimeS,
    procState: sample.proc_state ?? life.procState,
  };
  return withStart(
    hasData(sample) ? withData(named, sample, when) : withoutData(named, sample, when),
    sample,
    when.nowMs,
  );
}

function isOfAnEarlierLife({ generation, exit }: Track, sample: Sample): boolean {
  if (sample.generation === undefined || generation === undefined) return false;
  return sample.generation < generation || (exit !== undefined && sample.generation === generation);
}

function isOfALaterLife({ generation, startTimeS, exit }: Track, sample: Sample): boolean {
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

function withData(track: Track, sample: Sample, when: When): Track {
  const { moves, moved } = seenCounters(track, sample, when.nowMs);
  const changed = moved || !sameQueues(track.latest, sample);
  return {
    ...track,
    latest: sample,
    dataMs: when.nowMs,
    heardMs: when.nowMs,
    silence: undefined,
    deaf: undefined,
    turning: turningAfter(track.turning, sample, when),
    moves,
    still: changed ? stallFrom(when.nowMs) : stood(track.still, when.nowMs, when.gapMs),
    proven: track.proven || (moved && track.latest !== undefined),
  };
}

/** Only the kernel, or only a health page, has said something. */
function withoutData(track: Track, sample: Sample, when: When): Track {
  const { health } = sample;
  if (health === "ok") {
    // A health page alone says that somebody listens, and nothing of the work.
    return {
      ...track,
      heardMs: when.nowMs,
      silence: undefined,
      deaf: undefined,
      latest: track.latest ?? sample,
      dataMs: track.latest ? track.dataMs : when.nowMs,
    };
  }
  const why: Silence["why"] | undefined =
    health === "timeout" || health === "refused" ? health : health === "fail" ? "failed" : undefined;
  const silent = why === undefined ? { ...track, heardMs: when.nowMs } : seenSilence(track, why, when.nowMs);
  return health === "timeout"
    ? { ...silent, deaf: deafAfter(track.deaf, sample, when) }
    : { ...silent, deaf: undefined };
}

function silentBy({ error, body, status }: Extract<Observation, { kind: "scrape" }>): Silence["why"] {
  if (error !== undefined) return error === "timeout" ? "timeout" : error === "refused" ? "refused" : "failed";
  if (body === undefined || body.trim() === "") return "empty";
  return status !== undefined && status >= 400 ? "failed" : "unreadable";
}

/** Whether it is in the middle of its start: told by what it says of itself, until it is seen at work. */
function withStart(track: Track, { health, t, start_time: startS }: Sample, nowMs: number): Track {
  if (track.startsMs !== undefined || (track.latest !== undefined && health !== "starting")) return track;
  const young = startS !== undefined && health !== "ok" && health !== undefined && t - startS < youngS;
  if (health !== "starting" && health !== "refused" && !young) return track;
  const sinceMs = startS === undefined ? track.bornMs : nowMs - Math.max(0, t - startS) * 1_000;
  return { ...track, startsMs: sinceMs };
}

// Beyond any start limit it is not starting, whatever it says.
const youngS = 86_400;

function seenCanary(tracks: Map<string, Track>, { edge, result }: CanaryLine): void {
  for (const name of edge.split(":")) {
    const track = tracks.get(name);
    if (track === undefined || result === "busy") continue;
    tracks.set(name, result === "ok" ? { ...track, proven: true } : { ...track, canaryFailed: true });
  }
}
