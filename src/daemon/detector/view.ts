import type { FleetConfig } from "../../contract/config.ts";
import type { Watched } from "../../contract/observation.ts";
import type { Subject } from "../../contract/subject.ts";
import type { Verdict } from "../../contract/verdict.ts";
import type { History, Track } from "./history.ts";
import { calmMs, freshOf, gapOf, stepOf } from "./pace.ts";

export type Policy = FleetConfig["policy"];

/** What a rule looks at. */
export type View = {
  readonly history: History;
  readonly policy: Policy;
  readonly nowMs: number;
  /** What earlier rules have said: roots come first, so that later rules do not take a consequence for a cause. */
  readonly found: ReadonlyMap<string, Verdict>;
  /** A sample up to that old is one of this tick; a subject without one for longer than the gap is unknown. */
  readonly freshMs: number;
  readonly gapMs: number;
  readonly stepMs: number;
};

/** One file a rule, one row in the table of rules. */
export type Rule = (view: View) => readonly Verdict[];

export function viewOf(known: Pick<View, "history" | "policy" | "nowMs" | "found">): View {
  const { pace } = known.history;
  return { ...known, freshMs: freshOf(pace), gapMs: gapOf(pace), stepMs: stepOf(pace) };
}

type Said = Pick<Verdict, "subject" | "verdict" | "sinceMs" | "evidence"> & Partial<Verdict>;

/** A verdict with what most of them have. After the observer has slept none is fresh for a while: nothing is done. */
export function say({ history, nowMs }: View, said: Said): Verdict {
  const usual = { ruledOut: [], sure: "high" as const, moving: false, fresh: true, requests: [], engines: [] };
  const whole: Verdict = { ...usual, ...said };
  const { lateMs, sleptMs } = history.pace;
  if (lateMs === undefined || nowMs - lateMs >= calmMs) return whole;
  const words = `the observer itself slept for ${Math.round(sleptMs / 1_000)} s, until ${Math.round((nowMs - lateMs) / 1_000)} s ago`;
  return { ...whole, fresh: false, evidence: [...whole.evidence, words] };
}

/** Whether the latest data of it belong to this tick. */
export function isFresh({ nowMs, freshMs }: View, track: Track | undefined): boolean {
  return track?.dataMs !== undefined && nowMs - track.dataMs < freshMs;
}

/** Whether something on it moved in this tick or the one before. */
export function isMoving({ nowMs, stepMs }: View, track: Track | undefined): boolean {
  return (
    track !== undefined &&
    track.still.ms === 0 &&
    nowMs - track.still.sinceMs <= stepMs &&
    track.dataMs !== track.bornMs
  );
}

export function engineSubject({ who }: Track): Subject {
  return who.role === "router" ? "router" : `engine ${who.id}`;
}

/** Of the life that is spoken of. */
export function ofLife({ generation, who }: Track): Pick<Verdict, "engines"> & Partial<Pick<Verdict, "generation">> {
  return { engines: who.role === "router" ? [] : [who.id], ...(generation === undefined ? {} : { generation }) };
}

export function engineTracks({ history }: View): readonly Track[] {
  return [...history.tracks.values()].filter(({ who }) => who.role !== "router");
}

/** Who can be seen: a fleet without a router of ours has a row for it all the same. */
export function watched({ history }: View): readonly Watched[] {
  return history.fleet.engines.filter(({ role, driver }) => role !== "router" || driver !== "none");
}
