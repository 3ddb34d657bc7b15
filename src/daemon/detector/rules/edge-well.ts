import type { Verdict } from "../../../contract/verdict.ts";
import { countedWithin, edgeSubject } from "../facts.ts";
import type { EdgeTrack, Move, Track } from "../history.ts";
import { isFresh, type Rule, say, type View } from "../view.ts";
import { number, rate, seconds } from "../words.ts";

/** A pair that is well: transferring where bytes move on it, in use, or idle. Nothing is said of one that is unclear. */
export const edgeWell: Rule = (view) => [...view.history.edges.values()].flatMap((edge) => judged(edge, view) ?? []);

function judged(edge: EdgeTrack, view: View): Verdict | undefined {
  const { tracks } = view.history;
  const ends = [tracks.get(edge.prefill), tracks.get(edge.decode)];
  if (!ends.every((track) => isFresh(view, track))) return undefined;
  const base = { subject: edgeSubject(edge), sinceMs: edge.still.sinceMs, engines: [edge.prefill, edge.decode] };
  if (!edge.pending) {
    const moving = ends.some((track) => track !== undefined && countedWithin(track, view, view.freshMs));
    const words = moving ? "nothing waits on it" : "no request is on it";
    return say(view, { ...base, verdict: moving ? "ok" : "idle", evidence: [words], moving });
  }
  const move = bytesOn(edge, ends, view);
  if (move === undefined) return undefined;
  const speed = rate(move);
  return say(view, {
    ...base,
    verdict: "busy",
    cause: "transferring",
    evidence: [`${number(move.by)} bytes in ${seconds(move.overMs)}${speed === undefined ? "" : `: ${speed}`}`],
    ruledOut: [{ cause: "transfer-stall", by: "bytes move" }],
    moving: true,
  });
}

/** The edge's own counter, or that of an end where the pair is the only one that it can be. */
function bytesOn(edge: EdgeTrack, ends: readonly (Track | undefined)[], view: View): Move | undefined {
  const recent = (move: Move | undefined): Move | undefined =>
    move !== undefined && view.nowMs - move.atMs < 2 * view.freshMs ? move : undefined;
  if (edge.bytes !== undefined || view.history.edges.size > 1) return recent(edge.bytesMove);
  return ends.map((track) => recent(track?.moves.transfer_bytes_total)).find((move) => move !== undefined);
}
