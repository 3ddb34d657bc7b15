import type { Observation, Sample } from "../../contract/observation.ts";
import { excused } from "./excused.ts";
import type { History, Leg, RequestTrack, Track } from "./history.ts";
import { freshOf, gapOf } from "./pace.ts";
import { stallFrom, stood } from "./stall.ts";

// Above what all engines together hold; the samples name the oldest first.
const requestsMax = 10_000;

type Parts = {
  readonly prefill?: Leg;
  readonly decode?: Leg;
  readonly open?: NonNullable<Sample["open"]>[number];
};

/** What is known of each live request, put together by its room over all that hold it. One that nobody holds is gone. */
export function seenRequests(history: History, seen: readonly Observation[]): History {
  if (seen.every(({ kind }) => kind !== "sample")) return history;
  const found = new Map<string, Parts>();
  const add = (key: string, part: Parts): void => void found.set(key, { ...found.get(key), ...part });
  for (const track of history.tracks.values()) {
    for (const open of track.latest?.open ?? []) add(keyOf(open), { open });
    for (const one of track.latest?.requests ?? []) {
      const leg: Leg = { engine: track.who.id, seen: one, atMs: track.dataMs ?? history.nowMs };
      add(keyOf(one), sideOf(track, one.stage) === "decode" ? { decode: leg } : { prefill: leg });
    }
  }
  const held = [...found].filter(([, { prefill, decode }]) => prefill !== undefined || decode !== undefined);
  const requests = held
    .slice(0, requestsMax)
    .map(([key, parts]): [string, RequestTrack] => [key, looked(history.requests.get(key), parts, history)]);
  return { ...history, requests: new Map(requests) };
}

/** One room is one request on every process; where there is none the id must do. */
function keyOf({ room, id }: { readonly room?: string | undefined; readonly id: string }): string {
  return room === undefined ? `id ${id}` : `room ${room}`;
}

function sideOf({ who }: Track, stage: string | undefined): "prefill" | "decode" {
  if (who.role !== "both") return who.role === "decode" ? "decode" : "prefill";
  return stage === "prealloc" || stage === "transfer" ? "decode" : "prefill";
}

function looked(before: RequestTrack | undefined, parts: Parts, history: History): RequestTrack {
  const { nowMs, pace } = history;
  const { prefill, decode, open } = parts;
  const first = prefill?.seen ?? decode?.seen;
  const now: RequestTrack = {
    id: open?.id ?? first?.id ?? "",
    room: first?.room ?? open?.room,
    prefill,
    decode,
    open,
    still: before?.still ?? stallFrom(nowMs),
    stoodMsMax: isTornApart(before, parts) ? 0 : Math.max(before?.stoodMsMax ?? 0, before?.still.ms ?? 0),
    alone: undefined,
  };
  const alone = loneliness(before, now, history);
  if (before === undefined || signOf(before) !== signOf(now) || excused(now, history)) {
    return { ...now, alone, still: stallFrom(nowMs) };
  }
  const fresh = holders(now, history).every(({ dataMs }) => dataMs !== undefined && nowMs - dataMs < freshOf(pace));
  return { ...now, alone, still: fresh ? stood(now.still, nowMs, gapOf(pace)) : now.still };
}

/** One end has let go of it and the other has not taken it on: whatever comes of that, it does not go on. */
function isTornApart(before: RequestTrack | undefined, { prefill, decode }: Parts): boolean {
  if (before?.decode !== undefined && decode === undefined) return true;
  return before?.prefill !== undefined && prefill === undefined && decode?.seen.stage !== "running";
}

/** Changes with every bit of progress: a stage, a row, a byte, a token, on either leg or to the client. */
function signOf({ prefill, decode, open }: RequestTrack): string {
  const legs = [prefill, decode].map((leg) => {
    const { stage, bytes_done: bytes, rows_computed: rows, output_tokens: tokens } = leg?.seen ?? {};
    return [leg?.engine, stage, bytes, rows, tokens].join(" ");
  });
  return [...legs, open?.bytes].join("|");
}

/** The engines whose word the clock of a request needs: those that hold it, and where one leg is missing those that may. */
export function holders(request: RequestTrack, { tracks }: Pick<History, "tracks">): readonly Track[] {
  const { prefill, decode, open } = request;
  const names = [prefill?.engine ?? open?.prefill, decode?.engine ?? open?.decode].filter((name) => name !== undefined);
  const named = names.flatMap((name) => tracks.get(name) ?? []);
  if (prefill !== undefined && decode === undefined && open?.decode === undefined) {
    return [...named, ...[...tracks.values()].filter(({ who }) => who.role === "decode")];
  }
  return named;
}

/** Prefill has done its part and holds it, and every decode engine that may have it says in a newer sample that it has not. */
function loneliness(before: RequestTrack | undefined, now: RequestTrack, history: History): RequestTrack["alone"] {
  const { prefill, decode } = now;
  if (prefill?.seen.stage !== "inflight" || decode !== undefined) return undefined;
  const others = holders(now, history).filter(({ who }) => who.role === "decode");
  if (others.length === 0 || others.some(({ latest }) => latest?.requests === undefined)) return undefined;
  const seenMs = Math.min(prefill.atMs, ...others.map(({ dataMs }) => dataMs ?? 0));
  if (before?.alone === undefined || before.prefill?.seen.bytes_done !== prefill.seen.bytes_done) {
    return {
      sinceMs: history.nowMs,
      count: 1,
      atMs: Math.max(prefill.atMs, ...others.map(({ dataMs }) => dataMs ?? 0)),
    };
  }
  // Counts once both sides have been looked at again.
  if (seenMs <= before.alone.atMs) return before.alone;
  return { ...before.alone, count: before.alone.count + 1, atMs: history.nowMs };
}
