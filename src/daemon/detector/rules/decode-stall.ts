import type { Verdict } from "../../../contract/verdict.ts";
import { heldBy } from "../counters.ts";
import { openRequests, rootAt } from "../facts.ts";
import type { Track } from "../history.ts";
import { engineSubject, engineTracks, isFresh, ofLife, type Rule, say, type View } from "../view.ts";
import { number, seconds } from "../words.ts";

/** wedge(decode): its batch runs, clients wait, and no token comes. Without a client it is a gauge that lies. */
export const decodeStall: Rule = (view) =>
  engineTracks(view).flatMap((track) => (track.who.role === "prefill" ? [] : (judged(track, view) ?? [])));

function judged(track: Track, view: View): Verdict | undefined {
  const { latest, still, who } = track;
  const running = latest?.running ?? 0;
  if (running === 0 || latest?.generated_tokens_total === undefined || still.ms < view.policy.suspect) return undefined;
  if (rootAt(view, [who.id]) !== undefined) return undefined;
  const open = openRequests(view)?.filter(({ decode }) => decode === undefined || decode === who.id);
  const named = (latest.requests ?? []).filter(({ stage }) => stage === "running").map(({ id }) => id);
  // The running gauge of some engines stays up after work has ended: two witnesses, or nothing.
  if (named.length === 0 && (open === undefined || open.length - heldByPrefill(view) < running)) return undefined;
  const isWedge = still.ms >= view.policy.wedge;
  return say(view, {
    subject: engineSubject(track),
    verdict: isWedge ? "wedge" : "suspect",
    cause: isWedge ? "decode" : "no-progress",
    sinceMs: still.sinceMs,
    evidence: [
      `${running} running and generated tokens at ${number(latest.generated_tokens_total)} for ${seconds(still.ms)}`,
      ...(open === undefined ? [] : [`the router holds ${open.length} open there`]),
      ...(latest.gen_throughput === undefined
        ? []
        : [`gen_throughput says ${latest.gen_throughput}, which keeps its last value`]),
    ],
    ruledOut: isWedge
      ? [{ cause: "stale-gauge", by: open === undefined ? "its requests are named" : "clients wait" }]
      : [],
    fresh: isFresh(view, track),
    requests: named,
    ...ofLife(track),
    guilty: who.id,
  });
}

/** Clients whose requests prefill still has do not wait for a token of decode. */
function heldByPrefill(view: View): number {
  const prefills = engineTracks(view).filter(({ who }) => who.role === "prefill");
  return prefills.reduce((sum, { latest }) => sum + (heldBy(latest) ?? 0), 0);
}
