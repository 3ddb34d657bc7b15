import type { Ledger, StartNote } from "./ledger.ts";
import type { Policy } from "./situation.ts";

/** How many starts of an engine count: those after a failure since it was last stable, without those in vain. */
export function startsOf(name: string, known: { ledger: Ledger; policy: Policy }): number {
  return sinceStable(name, known).filter(({ vain }) => vain === undefined).length;
}

/** When a start was last tried in vain, where nothing has been started since. */
export function vainMs(name: string, { ledger }: { ledger: Ledger }): number {
  const last = ledger.starts[name]?.at(-1);
  return last?.vain === undefined ? Number.NEGATIVE_INFINITY : last.atMs;
}

function sinceStable(name: string, { ledger, policy }: { ledger: Ledger; policy: Policy }): readonly StartNote[] {
  const stableMs = policy.restarts["reset-after"];
  const up = ledger.healthy[name];
  if (up !== undefined && up.untilMs - up.sinceMs >= stableMs) return [];
  const starts = ledger.starts[name] ?? [];
  const stable = starts.findLastIndex(({ healthyMs }) => healthyMs >= stableMs);
  return starts.slice(Math.max(0, stable));
}

/** Whether one more start of it is in the budget. */
export function mayStart(name: string, known: { ledger: Ledger; policy: Policy }): boolean {
  return startsOf(name, known) < known.policy.restarts.max;
}

/** How long an engine that failed waits for its next start: the first pause, then twice as long each time. */
export function backoffMs(name: string, known: { ledger: Ledger; policy: Policy }): number {
  const { fromMs, toMs } = known.policy.restarts.backoff;
  return Math.min(toMs, fromMs * 2 ** (startsOf(name, known) + (known.ledger.starts[name]?.at(-1)?.vain ?? 0)));
}

/** Whether one more co-restart is in the budget. */
export function mayCoRestart({ ledger, policy, nowMs }: { ledger: Ledger; policy: Policy; nowMs: number }): boolean {
  const { max, window } = policy["co-restarts"];
  return ledger.coRestartsMs.filter((atMs) => nowMs - atMs < window).length < max;
}
