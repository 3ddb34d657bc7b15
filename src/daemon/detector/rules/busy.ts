import type { Cause, Verdict } from "../../../contract/verdict.ts";
import { heldBy } from "../counters.ts";
import type { Counter, Move, Track } from "../history.ts";
import { engineSubject, engineTracks, isFresh, ofLife, type Rule, say, type View } from "../view.ts";
import { number, rate, seconds } from "../words.ts";

/** busy: it holds requests, and what it counts goes up or has only just stood still. The cause is what moves. */
export const busy: Rule = (view) => engineTracks(view).flatMap((track) => judged(track, view) ?? []);

function judged(track: Track, view: View): Verdict | undefined {
  const { latest, still } = track;
  const held = heldBy(latest);
  if (!isFresh(view, track) || latest === undefined) return undefined;
  const moved = lately(track, view);
  // Counters of an idle engine move for its own probes; without a known queue they are all there is.
  if (held === 0 || (held === undefined && moved === undefined) || waitsForRoot(track, view)) return undefined;
  const cause = causeOf(track, moved?.counter);
  return say(view, {
    subject: engineSubject(track),
    verdict: "busy",
    ...(cause === undefined ? {} : { cause }),
    sinceMs: still.sinceMs,
    evidence: [...(moved === undefined ? [] : [moveWords(moved)]), ...(held === undefined ? [] : [`it holds ${held}`])],
    moving: moved !== undefined,
    ...ofLife(track),
  });
}

type Moved = { readonly counter: Counter; readonly move: Move };

function lately({ moves, who }: Track, { nowMs, freshMs }: View): Moved | undefined {
  const order: readonly Counter[] =
    who.role === "prefill"
      ? ["prompt_tokens_total", "transfer_bytes_total", "transfers_completed_total", "generated_tokens_total"]
      : ["generated_tokens_total", "transfer_bytes_total", "transfers_completed_total", "prompt_tokens_total"];
  const moved = order.flatMap((counter): Moved[] => {
    const move = moves[counter];
    return move !== undefined && nowMs - move.atMs < freshMs ? [{ counter, move }] : [];
  });
  const latestMs = Math.max(...moved.map(({ move }) => move.atMs));
  return moved.find(({ move }) => move.atMs === latestMs);
}

function causeOf({ latest, who }: Track, counter: Counter | undefined): Cause | undefined {
  const isPrefill = who.role === "prefill";
  switch (counter) {
    case "prompt_tokens_total":
      return "prefill";
    case "generated_tokens_total":
      return isPrefill ? "prefill" : "decode";
    case "transfer_bytes_total":
    case "transfers_completed_total":
      return "transferring";
    case undefined:
      if ((latest?.running ?? 0) > 0) return isPrefill ? "prefill" : "decode";
      return (latest?.inflight ?? 0) + (latest?.transfer_queue ?? 0) > 0 ? "transferring" : undefined;
  }
}

function moveWords({ counter, move }: Moved): string {
  const name = {
    prompt_tokens_total: "prompt tokens",
    generated_tokens_total: "generated tokens",
    transfer_bytes_total: "transfer bytes",
    transfers_completed_total: "transfers",
  }[counter];
  const speed = counter === "transfer_bytes_total" ? rate(move) : undefined;
  return `${number(move.by)} ${name} in ${seconds(move.overMs)}${speed === undefined ? "" : ` (${speed})`}`;
}

/** What it holds is what a verdict elsewhere speaks of: then it is not busy, it waits. */
function waitsForRoot({ who, still }: Track, { found, policy }: View): boolean {
  if (still.ms < policy.suspect) return false;
  return [...found.values()].some(({ verdict, engines }) => verdict === "wedge" && engines.includes(who.id));
}
