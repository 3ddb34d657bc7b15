import { openOn, openRequests, rootAt } from "./facts.ts";
import type { EdgeTrack, Track } from "./history.ts";
import { isFresh, type View } from "./view.ts";

/** What the counts of both ends and the router say of one pair, together. */
export type EdgeFacts = {
  readonly edge: EdgeTrack;
  readonly prefill: Track;
  readonly decode: Track;
  /** How many stand between both ends; 0 where nothing says that they stand on this pair. */
  readonly waiting: number;
  /** False where several pairs share an end and nothing says which of them it is. */
  readonly isMine: boolean;
  /** Prefill has something in its batch. */
  readonly computes: boolean;
  /** None has been computed yet: they wait for the handshake. */
  readonly isBootstrap: boolean;
  /** Two witnesses, or the inflight queue, which is one by itself. */
  readonly isProven: boolean;
  /** Every decode engine says freshly that it holds nothing at all. */
  readonly isOrphan: boolean;
  readonly isFresh: boolean;
  /** How many the router holds open on it; undefined where it does not say. */
  readonly open: number | undefined;
  /** Those of the router's that must be the ones, the oldest first. */
  readonly requests: readonly string[];
};

/** Undefined where requests are known one by one, or an engine at an end explains everything by itself. */
export function edgeFactsOf(edge: EdgeTrack, view: View): EdgeFacts | undefined {
  const { tracks } = view.history;
  const [prefill, decode] = [tracks.get(edge.prefill), tracks.get(edge.decode)];
  if (prefill?.latest === undefined || decode?.latest === undefined) return undefined;
  if (prefill.latest.requests !== undefined || (decode.latest.requests ?? []).length > 0) return undefined;
  if (rootAt(view, [edge.prefill, edge.decode]) !== undefined) return undefined;
  const { inflight = 0, bootstrap_queue: bootstrap = 0 } = prefill.latest;
  const { prealloc_queue: prealloc = 0, transfer_queue: transfer = 0 } = decode.latest;
  const opened = openOn(view, edge);
  const onPrefill = inflight + bootstrap;
  const onDecode = prealloc + transfer;
  // Prefill computes: its counters may be silent for as long as a prompt takes, and decode waits for good reason.
  const computes = (prefill.latest.running ?? 0) > 0;
  const stands = inflight > 0 || (!computes && (onDecode > 0 || opened?.length !== 0));
  const mine = isMine(edge, view, onDecode);
  return {
    edge,
    prefill,
    decode,
    // A bootstrap queue that nobody else knows of, without a client, is a leftover and waits for nothing.
    waiting: mine && stands ? Math.max(onPrefill, onDecode) : 0,
    computes,
    isMine: mine,
    isBootstrap: inflight === 0 && transfer === 0,
    isProven: inflight > 0 || (onPrefill > 0 && onDecode > 0) || (opened ?? []).length > 0,
    isOrphan: inflight > 0 && decodes(view).every((track) => holdsNothing(track) && isFresh(view, track)),
    isFresh: isFresh(view, prefill) && isFresh(view, decode),
    open: opened?.length,
    requests: (opened ?? [])
      .filter(({ bytes }) => (bytes ?? 0) === 0)
      .slice(0, Math.max(onPrefill, onDecode))
      .map(({ id }) => id),
  };
}

function decodes({ history }: View): readonly Track[] {
  return [...history.tracks.values()].filter(({ who }) => who.role === "decode");
}

/** With several pairs a prefill's queue does not say on which of them: decode's queues or the router must. */
function isMine(edge: EdgeTrack, view: View, onDecode: number): boolean {
  const others = [...view.history.edges.values()].filter(
    (one) => one !== edge && (one.prefill === edge.prefill || one.decode === edge.decode),
  );
  if (others.length === 0) return true;
  const opened = openRequests(view);
  return opened === undefined ? onDecode > 0 : (openOn(view, edge) ?? []).length > 0;
}

/** All four of its queues are known, and empty. */
function holdsNothing({ latest }: Track): boolean {
  return [latest?.prealloc_queue, latest?.transfer_queue, latest?.waiting, latest?.running].every(
    (length) => length === 0,
  );
}
