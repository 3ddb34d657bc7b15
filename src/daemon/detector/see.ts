import type { Observation } from "../../contract/observation.ts";
import { seenEdges } from "./edge-track.ts";
import type { History } from "./history.ts";
import { nextTick } from "./pace.ts";
import { seenRequests } from "./request-track.ts";
import { anew, seenTracks } from "./track.ts";

/** What is known after one more tick; `seen` holds what came in since the last one. Pure, and bounded. */
export function see(history: History, seen: readonly Observation[], nowMs: number): History {
  // Only these are looks at the world; a line of a log or a jump of the wall clock comes without any.
  const looked = seen.some(({ kind }) => kind === "sample" || kind === "scrape" || kind === "edge");
  if (!looked && seen.length === 0) return { ...history, nowMs };
  const pace = looked ? nextTick(history.pace, nowMs) : history.pace;
  const woke = pace.lateMs === nowMs && history.pace.lateMs !== nowMs;
  const before = woke ? anew({ ...history, pace }, nowMs) : { ...history, pace, nowMs };
  return seenRequests(seenEdges(seenTracks({ ...before, nowMs }, seen), seen), seen);
}
