import type { EdgeLine, Observation } from "../../contract/observation.ts";
import type { EdgeTrack, History, Move, Track } from "./history.ts";
import { lostCanaries } from "./lost-canaries.ts";
import { freshOf, gapOf } from "./pace.ts";
import { pendingOn } from "./pending.ts";
import { stallFrom, stood } from "./stall.ts";

const waitsMax = 32;

/** What is known of each prefill × decode pair, from what both ends and the router say. */
export function seenEdges(history: History, seen: readonly Observation[]): History {
  const lines = seen.filter((one) => one.kind === "edge");
  const edges = new Map<string, EdgeTrack>();
  const { tracks } = history;
  for (const prefill of tracks.values()) {
    if (prefill.who.role !== "prefill") continue;
    for (const decode of tracks.values()) {
      if (decode.who.role !== "decode") continue;
      const key = `${prefill.who.id}:${decode.who.id}`;
      const line = lines.findLast((one) => `${one.prefill}:${one.decode}` === key);
      edges.set(key, looked(history.edges.get(key), { prefill, decode, line, seen, history }));
    }
  }
  return { ...history, edges };
}

type Ends = {
  readonly prefill: Track;
  readonly decode: Track;
  readonly line: EdgeLine | undefined;
  readonly seen: readonly Observation[];
  readonly history: History;
};

function looked(before: EdgeTrack | undefined, { prefill, decode, line, seen, history }: Ends): EdgeTrack {
  const { nowMs, pace } = history;
  const edge: EdgeTrack = before ?? {
    prefill: prefill.who.id,
    decode: decode.who.id,
    bytes: undefined,
    bytesMove: undefined,
    completed: undefined,
    still: stallFrom(nowMs),
    pending: false,
    waitsMs: [],
    lost: undefined,
  };
  const bytesMove = moveOf(edge, line?.bytes_total, nowMs);
  const answered = edge.completed !== undefined && line?.ok_total !== undefined && line.ok_total > edge.completed;
  const bornMs = Math.max(prefill.bornMs, decode.bornMs);
  const lost = lostCanaries(edge, { seen, answered, bornMs, nowMs });
  const said = { bytes: line?.bytes_total ?? edge.bytes, completed: line?.ok_total ?? edge.completed, bytesMove, lost };
  const fresh = [prefill, decode].every(({ dataMs }) => dataMs !== undefined && nowMs - dataMs < freshOf(pace));
  const moved =
    bytesMove !== edge.bytesMove ||
    answered ||
    [prefill, decode].some(({ still }) => still.sinceMs > edge.still.sinceMs);
  if (moved) {
    const waitsMs = hasArrived(prefill, nowMs) || hasArrived(decode, nowMs) ? waited(edge) : edge.waitsMs;
    return { ...edge, ...said, still: stallFrom(nowMs), pending: pendingOn(prefill, decode), waitsMs };
  }
  if (!fresh) return { ...edge, ...said };
  return { ...edge, ...said, still: stood(edge.still, nowMs, gapOf(pace)), pending: pendingOn(prefill, decode) };
}

function moveOf({ bytes, bytesMove, still }: EdgeTrack, now: number | undefined, nowMs: number): Move | undefined {
  if (now === undefined || bytes === undefined || now <= bytes) return bytesMove;
  return { atMs: nowMs, by: now - bytes, overMs: nowMs - still.atMs };
}

/** What was waited for has come, and was not given up. */
function hasArrived({ moves }: Track, nowMs: number): boolean {
  return moves.generated_tokens_total?.atMs === nowMs || moves.transfers_completed_total?.atMs === nowMs;
}

function waited({ pending, still, waitsMs }: EdgeTrack): readonly number[] {
  return pending && still.ms > 0 ? [...waitsMs, still.ms].slice(-waitsMax) : waitsMs;
}
