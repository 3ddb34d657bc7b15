import type { Verdict } from "../../../contract/verdict.ts";
import { openRequests } from "../facts.ts";
import type { Track } from "../history.ts";
import { engineSubject, engineTracks, isFresh, isMoving, ofLife, type Rule, say, type View } from "../view.ts";
import { seconds } from "../words.ts";

/** idle(stale-gauge): a gauge says that it runs something, while no client waits and no token comes. */
export const staleGauge: Rule = (view) => engineTracks(view).flatMap((track) => judged(track, view) ?? []);

function judged(track: Track, view: View): Verdict | undefined {
  const { latest, still } = track;
  const running = latest?.running ?? 0;
  if (running === 0 || !isFresh(view, track) || isMoving(view, track) || isBetween(track)) return undefined;
  const isEmpty = latest?.requests?.length === 0;
  if (!isEmpty && openRequests(view)?.length !== 0) return undefined;
  return say(view, {
    subject: engineSubject(track),
    verdict: "idle",
    cause: "stale-gauge",
    sinceMs: still.sinceMs,
    evidence: [
      `its gauge says ${running} running, but ${isEmpty ? "it lists no request" : "the router holds nothing open"}, and no token has come for ${seconds(still.ms)}`,
    ],
    ruledOut: [{ cause: "decode", by: "nobody waits for a token" }],
    ...ofLife(track),
  });
}

/** Work between both ends is real by itself: those gauges do not stay up. */
function isBetween({ latest }: Track): boolean {
  return [latest?.bootstrap_queue, latest?.inflight, latest?.prealloc_queue, latest?.transfer_queue].some(
    (length) => (length ?? 0) > 0,
  );
}
