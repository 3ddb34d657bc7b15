import type { Verdict } from "../../../contract/verdict.ts";
import { verdictWords } from "../../../contract/verdict-words.ts";
import { heldBy } from "../counters.ts";
import { countedWithin } from "../facts.ts";
import type { Track } from "../history.ts";
import { engineSubject, isMoving, ofLife, type Rule, say, type View } from "../view.ts";

/** What is left is well: idle where nothing is held, else ok; with a note where it waits for something that is not. */
export const well: Rule = (view) => [...view.history.tracks.values()].map((track) => judged(track, view));

function judged(track: Track, view: View): Verdict {
  const held = track.who.role === "router" ? track.latest?.open?.length : heldBy(track.latest);
  const moving = isMoving(view, track);
  const isIdle = held === 0 && !countedWithin(track, view, view.freshMs);
  return say(view, {
    subject: engineSubject(track),
    verdict: isIdle ? "idle" : "ok",
    sinceMs: track.still.sinceMs,
    evidence: [isIdle ? "no request is in it" : (noteOf(track, view) ?? "it answers, and nothing speaks against it")],
    moving,
    ...ofLife(track),
  });
}

function noteOf({ who }: Track, { found }: View): string | undefined {
  const root = [...found.values()].find(({ verdict, engines }) => verdict === "wedge" && engines.includes(who.id));
  return root && `what it holds waits for ${root.subject}, which is ${verdictWords(root)}`;
}
