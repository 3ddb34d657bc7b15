import type { Action, Outcome } from "../../contract/action.ts";
import { subjectParts } from "../../contract/subject.ts";
import type { Ledger, StartNote } from "./ledger.ts";

const startsMax = 32;

/** The ledger with one start more. */
export function withStart(ledger: Ledger, { target }: Action, nowMs: number): Ledger {
  const name = countedName(target);
  const { [name]: up, ...healthy } = ledger.healthy;
  const entry: StartNote = { atMs: nowMs, healthyMs: up === undefined ? 0 : up.untilMs - up.sinceMs };
  return {
    ...ledger,
    healthy,
    starts: { ...ledger.starts, [name]: [...(ledger.starts[name] ?? []), entry].slice(-startsMax) },
  };
}

/** The starts as they count once an action has ended: one of which nothing came to run was in vain. */
export function startsAfter({ starts, open }: Ledger, ended: Outcome): Ledger["starts"] {
  const action = open[ended.actionId];
  if (action === undefined || action.by === "operator" || !isInVain(action, ended)) return starts;
  const name = countedName(action.target);
  const notes = starts[name] ?? [];
  const [before, last] = [notes.at(-2), notes.at(-1)];
  if (last === undefined) return starts;
  // However often it is tried, the starts before are not forgotten over it.
  const kept = before?.vain === undefined ? notes.slice(0, -1) : notes.slice(0, -2);
  const healthyMs = Math.max(last.healthyMs, before?.vain === undefined ? 0 : before.healthyMs);
  const vain = 1 + (before?.vain ?? 0);
  return { ...starts, [name]: [...kept, { atMs: ended.atMs, healthyMs, vain }] };
}

/** The name by which starts are counted: of an engine its own, else "router" or "fleet". */
export function countedName(target: string): string {
  const parts = subjectParts(target);
  return parts?.kind === "engine" ? parts.name : target;
}

function isInVain({ action }: Action, { outcome, startedNothing }: Outcome): boolean {
  if (action !== "start" && action !== "restart") return false;
  return startedNothing === true || outcome === "refused" || outcome === "stale";
}
