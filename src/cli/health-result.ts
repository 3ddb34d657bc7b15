import type { HealthView, Severity } from "../contract/health.ts";

/** What is asked of the evaluation. */
export type HealthRule = {
  readonly failOn: "warning" | "critical";
  readonly maxAgeMs: number;
  readonly unknownAs: Lowercase<Severity>;
};

/** What `health` prints and how it ends. Where nobody answers there are no problems or numbers, only the summary. */
export type HealthResult = Pick<HealthView, "status" | "summary"> & Partial<HealthView> & { readonly exit: number };

const exits: Record<Severity, number> = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 };

/** The daemon's evaluation under the rule: old data are unknown. */
export function healthResult(view: HealthView, rule: HealthRule): HealthResult {
  if (view.ageS * 1_000 <= rule.maxAgeMs) return withExit(view, rule);
  const summary = `the daemon's data are ${view.ageS.toFixed(1)} s old, more than ${rule.maxAgeMs / 1_000} s`;
  return withExit({ ...view, status: "UNKNOWN", summary }, rule);
}

/** The same where the daemon could not be asked. */
export function unknownHealth(summary: string, rule: HealthRule): HealthResult {
  return withExit({ status: "UNKNOWN", summary }, rule);
}

function withExit<T extends { readonly status: Severity }>(
  view: T,
  { failOn, unknownAs }: HealthRule,
): T & { readonly exit: number } {
  const status = view.status === "UNKNOWN" ? severityOf(unknownAs) : view.status;
  return { ...view, exit: status === "WARNING" && failOn === "critical" ? 0 : exits[status] };
}

function severityOf(word: Lowercase<Severity>): Severity {
  return word.toUpperCase() as Severity;
}
