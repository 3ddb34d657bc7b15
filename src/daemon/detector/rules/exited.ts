import type { Track } from "../history.ts";
import { engineSubject, ofLife, type Rule, say, type View } from "../view.ts";
import { endWords } from "../words.ts";

/** down(exited), at once; down(crash-loop) once it has ended as often as it may be started without being stable. */
export const exited: Rule = (view) => [...view.history.tracks.values()].flatMap((track) => judged(track, view));

function judged(track: Track, view: View) {
  const { exit, goneMs, exitsMs, who } = track;
  const sinceMs = exit?.atMs ?? goneMs;
  if (sinceMs === undefined) return [];
  const { max, "reset-after": resetMs } = view.policy.restarts;
  const recent = exitsMs.filter((atMs) => view.nowMs - atMs < resetMs);
  const loops = recent.length > Math.max(max, exitsBeforeLoopMin);
  return [
    say(view, {
      subject: engineSubject(track),
      verdict: "down",
      cause: loops ? "crash-loop" : "exited",
      sinceMs,
      evidence: [
        exit === undefined ? goneWords(track) : `its process ended ${endWords(exit)}`,
        ...(recent.length > 1 ? [`it ended ${recent.length} times in the last ${Math.round(resetMs / 1_000)} s`] : []),
      ],
      ruledOut: [{ cause: "loop-hang", by: "the process is gone, not silent" }],
      ...ofLife(track),
      ...(who.role === "router" ? {} : { guilty: who.id }),
    }),
  ];
}

function goneWords({ procState }: Track): string {
  return procState === "Z" ? "its process has ended and nobody has taken its exit status" : "no process of it is there";
}

const exitsBeforeLoopMin = 2;
