import { heldBy } from "../counters.ts";
import { engineSubject, engineTracks, isFresh, ofLife, type Rule, say } from "../view.ts";

/** draining and paused: it takes nothing new, or does nothing, because it was told so. */
export const heldBack: Rule = (view) =>
  engineTracks(view).flatMap((track) => {
    const { latest, still } = track;
    if (!isFresh(view, track) || latest === undefined) return [];
    const base = { subject: engineSubject(track), sinceMs: still.sinceMs, ...ofLife(track) };
    if (latest.draining === true) {
      return [
        say(view, {
          ...base,
          verdict: "draining",
          evidence: [`it takes no new requests; ${heldBy(latest) ?? "an unknown number"} are in it`],
        }),
      ];
    }
    if (!latest.paused) return [];
    return [say(view, { ...base, verdict: "paused", evidence: [`${latest.paused} requests are paused in it`] })];
  });
