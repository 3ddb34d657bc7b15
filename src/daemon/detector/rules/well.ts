import type { Track } from "../history.ts";
import { heldBy } from "../counters.ts";
import { engineSubject, isMoving, ofLife, type Rule, say, type View } from "../view.ts";

/** What is left is well: idle where nothing is held, else ok. The fleet is always said something of. */
export const well: Rule = (view) => [
  ...[...view.history.tracks.values()].map((track) => judged(track, view)),
  say(view, {
    subject: "fleet",
    verdict: view.history.tracks.size === 0 ? "unknown" : "ok",
    ...(view.history.tracks.size === 0 ? { cause: "no-data" as const } : {}),
    sinceMs: view.nowMs,
    evidence: [`${view.history.tracks.size} of ${view.history.fleet.engines.length} processes have been seen`],
  }),
];

function judged(track: Track, view: View) {
  const held = track.who.role === "router" ? track.latest?.open?.length : heldBy(track.latest);
  const isIdle = held === 0 && !isMoving(view, track);
  return say(view, {
    subject: engineSubject(track),
    verdict: isIdle ? "idle" : "ok",
    sinceMs: track.still.sinceMs,
    evidence: [isIdle ? "no request is in it" : "it answers, and nothing speaks against it"],
    moving: isMoving(view, track),
    ...ofLife(track),
  });
}
