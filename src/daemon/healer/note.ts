import type { Action, Outcome } from "../../contract/action.ts";
import { subjectParts } from "../../contract/subject.ts";
import type { Verdict, VerdictName } from "../../contract/verdict.ts";
import type { Ledger, Rung } from "./ledger.ts";
import { placeOf } from "./place.ts";
import { countedName, startsAfter, withStart } from "./start-notes.ts";
import { spentMark, toldKey } from "./told.ts";

/** What one tick adds to the ledger: what was judged, what was planned or asked for, and what has ended. */
export type Noted = {
  readonly verdicts: readonly Verdict[];
  readonly actions: readonly Action[];
  readonly outcomes: readonly Outcome[];
  readonly nowMs: number;
};

// Far more than a fleet of 64 engines needs in the longest time that anything here looks back.
const rungsMax = 1_000;
const openMax = 1_000;
const coRestartsMax = 64;
const toldMax = 1_000;
// What was told is told again when it comes back after that long.
const toldForMs = 600_000;

/** The ledger after it; pure. Actions that people asked for belong in it, too: their ids count on. */
export function note(before: Ledger, { verdicts, actions, outcomes, nowMs }: Noted): Ledger {
  const ended = outcomes.reduce(withOutcome, before);
  const bySubject = new Map(verdicts.map((verdict) => [verdict.subject, verdict]));
  const told = actions.reduce((ledger, action) => {
    const cause = action.verdict && bySubject.get(action.verdict.subject);
    return withAction(ledger, action, { nowMs, place: cause === undefined ? action.target : placeOf(cause) });
  }, ended);
  return {
    ...told,
    healthy: healthyNow(told.healthy, verdicts, nowMs),
    told: stillTold(told.told, verdicts, nowMs),
  };
}

function withOutcome(ledger: Ledger, ended: Outcome): Ledger {
  const { actionId, outcome, atMs } = ended;
  const { [actionId]: _, ...open } = ledger.open;
  const rungs = ledger.rungs.map((rung) => (rung.actionId === actionId ? { ...rung, outcome, outcomeMs: atMs } : rung));
  return { ...ledger, open, rungs, starts: startsAfter(ledger, ended) };
}

type Taken = { readonly nowMs: number; readonly place: string };

function withAction(ledger: Ledger, action: Action, taken: Taken): Ledger {
  const { nowMs } = taken;
  const after: Ledger = {
    ...ledger,
    planned: Math.max(ledger.planned, numberOf(action.id)),
    open: newest({ ...ledger.open, [action.id]: action }, openMax),
    rungs: action.by === "healer" ? [...ledger.rungs, rungOf(action, taken)].slice(-rungsMax) : ledger.rungs,
  };
  switch (action.action) {
    case "start":
    case "restart":
      return action.by === "operator" ? withoutStarts(after, action) : withStart(after, action, nowMs);
    case "co-restart":
      return action.by === "operator"
        ? after
        : { ...after, coRestartsMs: [...after.coRestartsMs, nowMs].slice(-coRestartsMax) };
    case "canary":
      return { ...after, canariesMs: { ...after.canariesMs, [action.target]: nowMs } };
    case "notify":
      return { ...after, told: newest({ ...after.told, [toldKey(action)]: nowMs }, toldMax) };
    case "fail":
    case "abort":
    case "drain":
    case "quarantine":
    case "shed":
    case "reregister":
    case "resume":
      return after;
    case "stop":
      // Whoever ends the fleet and wants it again begins with everything.
      return { ...after, starts: {}, told: {} };
  }
}

function numberOf(id: string): number {
  const number = Number(id.replace(/^a/, ""));
  return Number.isSafeInteger(number) ? number : 0;
}

function rungOf(action: Action, { place, nowMs }: Taken): Rung {
  return {
    place,
    actionId: action.id,
    action: action.action,
    plannedMs: nowMs,
    settleMs: action.settleMs,
    requests: action.requests ?? [],
  };
}

/** Who restarts something by hand gives it a full budget again. */
function withoutStarts(ledger: Ledger, { target }: Action): Ledger {
  const { [countedName(target)]: _, ...starts } = ledger.starts;
  const { [toldKey({ target })]: __, ...told } = ledger.told;
  return { ...ledger, starts, told };
}

const wellNames: ReadonlySet<VerdictName> = new Set(["ok", "idle", "busy", "slow", "paused"]);
const endNames: ReadonlySet<VerdictName> = new Set(["down", "starting", "wedge"]);

function healthyNow(before: Ledger["healthy"], verdicts: readonly Verdict[], nowMs: number): Ledger["healthy"] {
  const after = { ...before };
  for (const { subject, verdict } of verdicts) {
    const parts = subjectParts(subject);
    if (parts === undefined || parts.kind === "edge" || parts.kind === "request") continue;
    const name = countedName(subject);
    const time = after[name];
    if (time !== undefined && endNames.has(verdict)) after[name] = { ...time, over: true };
    if (wellNames.has(verdict)) {
      after[name] = { sinceMs: time === undefined || time.over ? nowMs : time.sinceMs, untilMs: nowMs, over: false };
    }
  }
  return after;
}

function stillTold(before: Ledger["told"], verdicts: readonly Verdict[], nowMs: number): Ledger["told"] {
  const now = new Set(
    verdicts.map(({ subject, verdict, cause }) => toldKey({ target: subject, verdict: { verdict, cause } })),
  );
  return Object.fromEntries(
    Object.entries(before).filter(
      ([key, atMs]) => now.has(key) || key.startsWith(spentMark) || nowMs - atMs < toldForMs,
    ),
  );
}

function newest<T>(entries: Readonly<Record<string, T>>, max: number): Readonly<Record<string, T>> {
  const all = Object.entries(entries);
  return all.length <= max ? entries : Object.fromEntries(all.slice(-max));
}
