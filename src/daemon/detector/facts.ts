import type { Sample } from "../../contract/observation.ts";
import type { Subject } from "../../contract/subject.ts";
import type { Verdict } from "../../contract/verdict.ts";
import type { EdgeTrack, Track } from "./history.ts";
import { isFresh, type View } from "./view.ts";

// What more than one rule asks of what is known.

export function edgeSubject({ prefill, decode }: Pick<EdgeTrack, "prefill" | "decode">): Subject {
  return `edge ${prefill}:${decode}`;
}

/** What the router says, where it says it now. */
function routerTrack({ history }: View): Track | undefined {
  return [...history.tracks.values()].find(({ who }) => who.role === "router");
}

type Open = NonNullable<Sample["open"]>[number];

/** The requests that the router holds open, the oldest first; undefined where nobody says so freshly. */
export function openRequests(view: View): readonly Open[] | undefined {
  const router = routerTrack(view);
  if (!isFresh(view, router) || router?.latest?.open === undefined) return undefined;
  return router.latest.open.toSorted((a, b) => (b.age_s ?? 0) - (a.age_s ?? 0));
}

/** Those of a pair. */
export function openOn(
  view: View,
  { prefill, decode }: Pick<EdgeTrack, "prefill" | "decode">,
): readonly Open[] | undefined {
  return openRequests(view)?.filter((one) => one.prefill === prefill && one.decode === decode);
}

/** The verdict of an earlier rule that an engine is at fault by itself: what waits for it is a consequence. */
export function rootAt({ found }: View, names: readonly string[]): Verdict | undefined {
  return names
    .flatMap((name) => found.get(`engine ${name}`) ?? [])
    .find(
      ({ verdict, cause, sure }) =>
        verdict === "down" ||
        verdict === "wedge" ||
        (verdict === "starting" && sure === "high") ||
        (verdict === "suspect" && cause === "no-progress"),
    );
}

/** Whether tokens, bytes or completions were counted on it within that time. */
export function countedWithin({ moves }: Pick<Track, "moves">, { nowMs }: View, withinMs: number): boolean {
  return Object.values(moves).some((move) => move !== undefined && nowMs - move.atMs < withinMs);
}

/**
 * Whether work on it gets somewhere. A prompt that is computed and then stands where the others stand got nowhere, so
 * that only one which is still being computed counts.
 */
export function worksWithin(track: Track, view: View, withinMs: number): boolean {
  return countedWithin({ moves: workOf(track) }, view, withinMs);
}

/** How long no work on any of them has got anywhere, as far as they have been watched. */
export function quietMs(tracks: readonly Track[], { nowMs }: View): number {
  const moved = tracks.flatMap((track) => [track.bornMs, ...Object.values(workOf(track)).map(({ atMs }) => atMs)]);
  return Math.max(0, nowMs - Math.max(0, ...moved));
}

function workOf({ moves, latest }: Track): Track["moves"] {
  const { prompt_tokens_total: _, ...others } = moves;
  return (latest?.running ?? 0) > 0 ? moves : others;
}

/** Whether anybody counts the bytes of transfers between the two. */
export function hasByteSource(edge: EdgeTrack | undefined, tracks: readonly (Track | undefined)[]): boolean {
  return (
    edge?.bytes !== undefined ||
    tracks.some((track) => track?.latest?.transfer_bytes_total !== undefined || track?.logsBytes === true)
  );
}

// No transfer that anybody has reported takes that long without a byte source to see it by.
const blindMsMin = 120_000;

/** How long a transfer may stand still before it is stuck: longer where no byte can be seen. */
export function transferLimitMs({ policy }: View, edge: EdgeTrack | undefined, seesBytes: boolean): number {
  if (seesBytes) return policy.wedge;
  return Math.max(policy.wedge, 2 * Math.max(0, ...(edge?.waitsMs ?? [])), blindMsMin);
}
