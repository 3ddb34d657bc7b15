import type { Verdict } from "../../contract/verdict.ts";
import type { History } from "./history.ts";
import { rules } from "./rules.ts";
import { type Policy, viewOf } from "./view.ts";

/** What is known, by which policy it is judged, and the time. */
export type Judged = { readonly history: History; readonly policy: Policy; readonly nowMs: number };

/** What it means: at most one verdict a subject, by the first rule that speaks of it. Pure. */
export function judge({ history, policy, nowMs }: Judged): readonly Verdict[] {
  const found = new Map<string, Verdict>();
  for (const rule of rules) {
    for (const verdict of rule(viewOf({ history, policy, nowMs, found }))) {
      if (!found.has(verdict.subject)) found.set(verdict.subject, verdict);
    }
  }
  return [...found.values()];
}
