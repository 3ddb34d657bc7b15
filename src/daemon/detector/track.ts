import type { CanaryLine, Observation, Sample, Watched } from "../../contract/observation.ts";
import { sameQueues, seenCounters } from "./counters.ts";
import type { History, Silence, Track } from "./history.ts";
import { born, ended, hasData, isOfALaterLife, isOfAnEarlierLife, reborn } from "./life.ts";
import { seenLog } from "./log-line.ts";
import { gapOf } from "./pace.ts";
import { deafAfter, seenSilence, turningAfter } from "./silence.ts";
import { stallFrom, stood } from "./stall.ts";
import { withStart } from "./start.ts";

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

type When = { readonly nowMs: number; readonly gapMs: number };

function sampled(track: Track, sample: Sample, when: When): Track {
  if (isOfAnEarlierLife(track, sample)) return track;
  const life = isOfALaterLife(track, sample) ? reborn(track, when.nowMs) : track;
  const procState = sample.proc_state ?? life.procState;
  const isGone = procState === "Z" || procState === "X";
  const named: Track = {
    ...life,
    generation: sample.generation ?? life.generation,
    startTimeS: sample.start_time ?? life.startTimeS,
    procState,
    goneMs: isGone ? (life.goneMs ?? when.nowMs) : undefined,
  };
  return withStart(
    hasData(sample) ? withData(named, sample, when) : withoutData(named, sample, when),
    sample,
    when.nowMs,
  );
}

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

function seenCanary(tracks: Map<string, Track>, { edge, result }: CanaryLine): void {
  for (const name of edge.split(":")) {
    const track = tracks.get(name);
    if (track === undefined || result === "busy") continue;
    tracks.set(name, result === "ok" ? { ...track, proven: true } : { ...track, canaryFailed: true });
  }
}
