import type { Severity } from "./health.ts";
import type { Cause, VerdictName } from "./verdict.ts";

/** What is known besides: an edge that is taken out while others serve is worth a warning and no more. */
export type SeverityFacts = { readonly quarantined?: boolean; readonly othersServe?: boolean };

/** How bad a verdict is, for `health` and for the colour of everything that shows it. */
export function severityOf(verdict: VerdictName, cause: Cause | undefined, facts: SeverityFacts = {}): Severity {
  const severity = severityAlone(verdict, cause);
  return severity === "CRITICAL" && facts.quarantined === true && facts.othersServe === true ? "WARNING" : severity;
}

function severityAlone(verdict: VerdictName, cause: Cause | undefined): Severity {
  switch (verdict) {
    case "ok":
    case "idle":
    case "busy":
    case "draining":
    case "paused":
      return "OK";
    case "starting":
    case "slow":
    case "suspect":
    case "leak":
    case "storm":
      return "WARNING";
    case "wedge":
    case "down":
      return "CRITICAL";
    case "fault":
      return cause !== undefined && mildFaults.has(cause) ? "WARNING" : "CRITICAL";
    case "unknown":
      return "UNKNOWN";
  }
}

const mildFaults: ReadonlySet<Cause> = new Set([
  ...(["limit-too-low", "pd-bypassed", "config", "bad-request", "router-stale-worker"] as const),
]);

// What is known to be broken counts more than what is not known.
const order: readonly Severity[] = ["OK", "WARNING", "UNKNOWN", "CRITICAL"];

/** The worst of them; OK where there are none. */
export function worstOf(severities: readonly Severity[]): Severity {
  return severities.reduce<Severity>((worst, one) => (order.indexOf(one) > order.indexOf(worst) ? one : worst), "OK");
}
