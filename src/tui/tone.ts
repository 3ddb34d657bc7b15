import type { Severity } from "../contract/health.ts";
import { type SeverityFacts, severityOf, worstOf } from "../contract/severity.ts";
import type { Cause, VerdictName } from "../contract/verdict.ts";
import { verdictWords } from "../contract/verdict-words.ts";
import { type Span, span, type Tone } from "./line.ts";
import { dash } from "./short.ts";

/** Whatever the detector speaks of. */
export type Judged = { readonly verdict?: VerdictName | undefined; readonly cause?: Cause | undefined };

const tones: Record<Severity, Tone> = { OK: "good", WARNING: "warn", CRITICAL: "bad", UNKNOWN: "dim" };
// They say without colour what the tone says with it.
const symbols: Record<Severity, string> = { OK: "✓", WARNING: "!", CRITICAL: "✗", UNKNOWN: "?" };

/** "✗ wedge (transfer-stall)"; a dash where nothing has been said. */
export function verdictSpan({ verdict, cause }: Judged, facts?: SeverityFacts): Span {
  if (verdict === undefined) return span(dash, "dim");
  return severitySpan(verdictWords({ verdict, cause }), severityOf(verdict, cause, facts));
}

/** A word about how it goes, in the same looks. */
export function severitySpan(words: string, severity: Severity): Span {
  return span(`${symbols[severity]} ${words}`, tones[severity]);
}

/** The worst first, and otherwise as they were: for lists that do not fit. */
export function worstFirst<T extends Judged>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => order(severityIn(a), severityIn(b)));
}

function severityIn({ verdict, cause }: Judged): Severity {
  return verdict === undefined ? "UNKNOWN" : severityOf(verdict, cause);
}

function order(a: Severity, b: Severity): number {
  if (a === b) return 0;
  return worstOf([a, b]) === a ? -1 : 1;
}
