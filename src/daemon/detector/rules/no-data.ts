import type { Watched } from "../../../contract/observation.ts";
import type { Silence, Track } from "../history.ts";
import { engineSubject, ofLife, type Rule, say, type View, watched } from "../view.ts";
import { seconds, times } from "../words.ts";

/** unknown: it gives no data, or none that can be read. Never zeros, and never a reason to act. */
export const noData: Rule = (view) => [...watched(view).flatMap((who) => judged(who, view))];

const words: Readonly<Record<Silence["why"], string>> = {
  timeout: "does not answer in time",
  refused: "refuses connections",
  failed: "answers with an error",
  empty: "answers without a body",
  unreadable: "answers something that is not understood",
};

function judged(who: Watched, view: View) {
  const track = view.history.tracks.get(who.id);
  if (track === undefined || track.heardMs === undefined) return [unseen(who, view)];
  const { silence, dataMs, bornMs } = track;
  const lastMs = dataMs ?? bornMs;
  const said =
    silence !== undefined && (silence.why === "empty" || silence.why === "unreadable" || dataMs === undefined);
  if (!said && view.nowMs - lastMs <= view.gapMs) return [];
  return [
    say(view, {
      subject: engineSubject(track),
      verdict: "unknown",
      cause: silence?.why === "unreadable" ? "unreadable" : "no-data",
      sinceMs: silence?.sinceMs ?? lastMs,
      evidence: [
        silence === undefined
          ? `no data of it have come for ${seconds(view.nowMs - lastMs)}`
          : `it ${words[silence.why]}, ${times(silence.count)} in ${seconds(view.nowMs - silence.sinceMs)}`,
      ],
      ruledOut: processWords(track),
      sure: "low",
      fresh: false,
      ...ofLife(track),
    }),
  ];
}

function processWords({ silence }: Track): { cause: string; by: string }[] {
  return silence?.why === "timeout"
    ? [{ cause: "loop-hang", by: "nothing is known of its process, so that it may be the network" }]
    : [];
}

function unseen(who: Watched, view: View) {
  return say(view, {
    subject: who.role === "router" ? "router" : `engine ${who.id}`,
    verdict: "unknown",
    cause: "no-data",
    sinceMs: view.nowMs,
    evidence: ["nothing has been seen of it yet"],
    sure: "low",
    fresh: false,
    engines: who.role === "router" ? [] : [who.id],
  });
}
