import type { Verdict } from "../../../contract/verdict.ts";
import type { Track } from "../history.ts";
import { isLoading } from "../start.ts";
import { engineSubject, ofLife, type Rule, say, type View, watched } from "../view.ts";
import { seconds } from "../words.ts";

/** starting, until a canary has gone through it or it is seen at work; down once its start limit is over. */
export const starting: Rule = (view) =>
  [...view.history.tracks.values()].flatMap((track) => comesUp(track, view) ?? refuses(track, view) ?? []);

// What SGLang takes for its weights fits in; a fleet says its own in the facts.
const startMsUsual = 1_800_000;

function startLimitMs({ history }: View): number {
  const limitS = history.fleet.facts["start_timeout_s"];
  return typeof limitS === "number" && limitS > 0 ? limitS * 1_000 : startMsUsual;
}

function comesUp(track: Track, view: View): Verdict | undefined {
  const { startsMs, proven, silence, latest, who } = track;
  if (startsMs === undefined || proven) return undefined;
  const answers = silence === undefined && latest !== undefined && latest.health !== "starting";
  // Where no canary can go, an engine that answers is as well as can be known.
  const canProve = who.role !== "router" && watched(view).some(({ role }) => role === "router");
  const loading = isLoading(track);
  if (answers ? !canProve : !loading) return undefined;
  const forMs = view.nowMs - startsMs;
  const words = answers ? "it answers, but no canary has gone through it and nothing was computed" : wordsOf(track);
  if (forMs <= startLimitMs(view)) return verdictOf(track, view, { sinceMs: startsMs, words, loading });
  if (answers && !loading && !track.canaryFailed) return undefined;
  return downOf(track, view, { cause: "start-timeout", sinceMs: startsMs, words });
}

/** It was up and now nobody listens, while its end was not seen: so it starts again, or it never will. */
function refuses(track: Track, view: View): Verdict | undefined {
  const { silence, latest } = track;
  if (silence?.why !== "refused") return undefined;
  const words = wordsOf(track);
  if (view.nowMs - silence.sinceMs <= startLimitMs(view))
    return verdictOf(track, view, { sinceMs: silence.sinceMs, words, loading: true });
  const cause = latest === undefined ? "start-timeout" : "refused";
  return downOf(track, view, { cause, sinceMs: silence.sinceMs, words });
}

function wordsOf({ silence, latest }: Track): string {
  if (silence === undefined)
    return latest?.health === "starting" ? "it says that it is starting" : "it has not answered yet";
  return silence.why === "refused" ? "it refuses connections" : "it does not answer as one that is ready";
}

type Said = { readonly sinceMs: number; readonly words: string };

// One that only lacks its proof explains nothing that stands still on it: of that nobody can be sure.
function verdictOf(
  track: Track,
  view: View,
  { sinceMs, words, loading }: Said & { readonly loading: boolean },
): Verdict {
  return say(view, {
    subject: engineSubject(track),
    verdict: "starting",
    sinceMs,
    evidence: [`it has been starting for ${seconds(view.nowMs - sinceMs)}: ${words}`],
    sure: loading ? "high" : "low",
    moving: true,
    ...ofLife(track),
  });
}

function downOf(
  track: Track,
  view: View,
  { cause, sinceMs, words }: Said & { readonly cause: "start-timeout" | "refused" },
): Verdict {
  return say(view, {
    subject: engineSubject(track),
    verdict: "down",
    cause,
    sinceMs,
    evidence: [`${words}, for ${seconds(view.nowMs - sinceMs)}; its start may take ${seconds(startLimitMs(view))}`],
    ruledOut: [{ cause: "exited", by: "the end of its process was not seen" }],
    fresh: track.heardMs !== undefined && view.nowMs - track.heardMs <= view.gapMs,
    ...ofLife(track),
    ...(track.who.role === "router" ? {} : { guilty: track.who.id }),
  });
}
