import type { Engine } from "./engine.ts";

/** What a pair has had; it outlives the engines' lives. */
export type Tally = { open: number; attemptsTotal: number; okTotal: number };

/** Where one request goes: a pair, or one engine that does both. */
export type Edge = {
  readonly prefill: Engine | undefined;
  readonly decode: Engine;
  /** Takes no new requests although both engines do. */
  readonly quarantined: boolean;
  readonly tally: Tally;
};

export function enginesOf({ prefill, decode }: Edge): readonly Engine[] {
  return prefill === undefined ? [decode] : [prefill, decode];
}

/** P:D. An engine that does both is both. */
export function pairOf(prefill: string | undefined, decode: string): string {
  return `${prefill ?? decode}:${decode}`;
}

/** Whether new requests may take it. */
export function admits(edge: Edge): boolean {
  return !edge.quarantined && enginesOf(edge).every((engine) => engine.admits);
}

export function isReachable(edge: Edge): boolean {
  return enginesOf(edge).every(({ reach }) => reach.lost === undefined);
}

/** The one whose engines have the least open; among equals those that were chosen least. */
export function lightest(edges: readonly Edge[]): Edge | undefined {
  return edges.reduce<Edge | undefined>((best, edge) => {
    if (best === undefined || openOf(edge) < openOf(best)) return edge;
    return openOf(edge) === openOf(best) && pickedOf(edge) < pickedOf(best) ? edge : best;
  }, undefined);
}

function openOf({ prefill, decode }: Edge): number {
  return decode.open + (prefill ?? decode).open;
}

function pickedOf({ prefill, decode }: Edge): number {
  return decode.picked + (prefill ?? decode).picked;
}
