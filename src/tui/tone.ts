import type { Cause, VerdictName } from "../contract/verdict.ts";
import { type Span, span } from "./line.ts";
import { dash } from "./short.ts";

/** Whatever the detector speaks of. */
export type Judged = { readonly verdict?: VerdictName | undefined; readonly cause?: Cause | undefined };

type Look = "good" | "warn" | "bad" | "dim";

const looks: Record<VerdictName, Look> = {
  ok: "good",
  idle: "good",
  busy: "good",
  draining: "good",
  paused: "good",
  starting: "warn",
  slow: "warn",
  suspect: "warn",
  leak: "warn",
  storm: "warn",
  wedge: "bad",
  down: "bad",
  fault: "bad",
  unknown: "dim",
};
// They say without colour what the tone says with it.
const symbols: Record<Look, string> = { good: "✓", warn: "!", bad: "✗", dim: "?" };
const ranks: Record<Look, number> = { bad: 0, warn: 1, dim: 2, good: 3 };

/** "✗ wedge(transfer-stall)"; a dash where nothing has been said. */
export function verdictSpan({ verdict, cause }: Judged): Span {
  if (verdict === undefined) return span(dash, "dim");
  const look = looks[verdict];
  return span(`${symbols[look]} ${verdict}${cause === undefined ? "" : `(${cause})`}`, look);
}

/** A word about how it goes, in the same looks. */
export function lookSpan(words: string, look: Look): Span {
  return span(`${symbols[look]} ${words}`, look);
}

/** The worst first, and otherwise as they were: for lists that do not fit. */
export function worstFirst<T extends Judged>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ verdict }: Judged): number {
  return verdict === undefined ? ranks.dim : ranks[looks[verdict]];
}
