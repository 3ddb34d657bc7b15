import type { Action, Outcome } from "../contract/action.ts";
import { severityOf } from "../contract/severity.ts";
import type { Subject } from "../contract/subject.ts";
import type { Verdict } from "../contract/verdict.ts";
import { verdictWords } from "../contract/verdict-words.ts";
import type { Happening } from "./event-log.ts";
import type { IncidentBook } from "./incident-book.ts";
import { incidentOf } from "./incident-book.ts";
import type { KeptIncident } from "./journal/page.ts";
import type { FleetState } from "./state.ts";
import type { Words } from "./supervisor/supervisor.ts";

export type Changes = {
  readonly before: FleetState;
  readonly after: FleetState;
  readonly actions: readonly Action[];
  readonly outcomes: readonly Outcome[];
  readonly words: readonly Words[];
};

/** What a tick changed, in sentences for people, in the order in which it came about. */
export function happeningsOf({ before, after, actions, outcomes, words }: Changes): Happening[] {
  return [
    ...words.flatMap((one) => stepOf(one, after)),
    ...stateChanges(before, after),
    ...outcomes.flatMap((outcome) => outcomeOf(outcome, after)),
    ...verdictChanges(before.verdicts, after.verdicts),
    ...incidentChanges(before.book, after.book),
    ...actions.flatMap((action) => actionOf(action, after.book)),
  ];
}

/** Verdicts that are news: another one of the same subject, but for the flicker of a healthy one. */
export function changedVerdicts(before: readonly Verdict[], after: readonly Verdict[]): Verdict[] {
  const earlier = new Map(before.map((one) => [one.subject, one]));
  return after.filter((now) => {
    const last = earlier.get(now.subject);
    // That nothing is known of what has never been looked at is no news either.
    if (last === undefined) return !isCalm(now) && now.verdict !== "unknown";
    return (now.verdict !== last.verdict || now.cause !== last.cause) && !(isCalm(now) && isCalm(last));
  });
}

/** Healthy, and no news: an engine under load goes from one to the other all the time. */
export function isCalm({ verdict }: Verdict): boolean {
  return verdict === "ok" || verdict === "idle" || verdict === "busy";
}

function stepOf({ subject, words, action }: Words, { actions, book, view }: FleetState): Happening[] {
  // The action itself is told already.
  if (action !== undefined && actions.get(action)?.action.action === "notify") return [];
  const severity = words.startsWith("failed") ? "critical" : "ok";
  const of = action === undefined ? {} : { action, ...incidentId(book, action) };
  return [{ kind: "step", subject: subjectOf(subject, view), words, severity, ...of }];
}

// An engine is called the same wherever it is spoken of.
function subjectOf(name: string, { processes }: FleetState["view"]): string {
  return processes.some(({ spec }) => spec.name === name && spec.role !== "router") ? `engine ${name}` : name;
}

// Of the rest (a start, that it is ready, a stop, why it failed) the supervisor tells in words of its own.
function stateChanges(before: FleetState, after: FleetState): Happening[] {
  const earlier = new Map(before.view.processes.map((one) => [one.spec.name, one.state]));
  return after.view.processes.flatMap(({ spec, state }) => {
    const last = earlier.get(spec.name);
    const subject = subjectOf(spec.name, after.view);
    if (state === "draining" && last !== state) return [stateOf(subject, "draining")];
    return state === "ready" && last === "draining" ? [stateOf(subject, "takes requests again")] : [];
  });
}

function stateOf(subject: string, words: string): Happening {
  return { kind: "state", subject, words, severity: "ok" };
}

function verdictChanges(before: readonly Verdict[], after: readonly Verdict[]): Happening[] {
  const wasStarting = new Set(before.flatMap(({ subject, verdict }) => (verdict === "starting" ? [subject] : [])));
  // Of a start the supervisor tells in words of its own.
  const isStart = (one: Verdict): boolean =>
    one.verdict === "starting" || (isCalm(one) && wasStarting.has(one.subject));
  const news = changedVerdicts(before, after).filter((one) => !isStart(one));
  return news.map((now) => {
    const [first] = now.evidence;
    const words = `${verdictWords(now)}${first === undefined ? "" : `: ${first}`}`;
    return { kind: "verdict", subject: now.subject, words, severity: colourOf(now) };
  });
}

function incidentChanges(before: IncidentBook, after: IncidentBook): Happening[] {
  const known = new Map(before.open.map((one) => [one.id, one]));
  const opened = after.open.flatMap((one) => {
    const last = known.get(one.id);
    if (last === undefined) return [incident(one, `opened: ${one.subject} is ${verdictWords(one)}`, colourOf(one))];
    if (last.subject === one.subject && last.verdict === one.verdict && last.cause === one.cause) return [];
    return [incident(one, `is now: ${one.subject} is ${verdictWords(one)}`, colourOf(one))];
  });
  const still = new Set(after.open.map(({ id }) => id));
  const ended = after.ended.filter(({ id }) => known.has(id) && !still.has(id));
  return [...opened, ...ended.map((one) => incident(one, closedWords(one), "ok"))];
}

function colourOf({ verdict, cause }: Pick<Verdict, "verdict" | "cause">): Happening["severity"] {
  return colours[severityOf(verdict, cause)];
}

const colours = { OK: "ok", WARNING: "warning", CRITICAL: "critical", UNKNOWN: "unknown" } as const;

function incident({ id, subject }: KeptIncident, words: string, severity: Happening["severity"]): Happening {
  return { kind: "incident", subject, words: `incident ${id} ${words}`, severity, incident: id };
}

function closedWords({ healSeconds = 0, done }: KeptIncident): string {
  const last = done === undefined ? "" : `; last done: ${done}`;
  return `is over, ${healSeconds.toFixed(1)} s after its first evidence${last}`;
}

function actionOf(action: Action, book: IncidentBook): Happening[] {
  // One goes out each minute; only one that does not come back is news.
  if (action.action === "canary") return [];
  const { id, target, why, by } = action;
  const words = `${action.action} (${id}, ${by}): ${why}`;
  const severity = action.action === "notify" ? "warning" : "ok";
  return [{ kind: "action", subject: target, words, severity, action: id, ...incidentId(book, id) }];
}

function outcomeOf({ actionId, outcome, words }: Outcome, { actions, book }: FleetState): Happening[] {
  const action = actions.get(actionId)?.action;
  const isQuiet = (action?.action === "canary" && outcome !== "failed") || action?.action === "notify";
  if (isQuiet) return [];
  const subject: Subject = action?.target ?? "fleet";
  const told = `${action?.action ?? "action"} (${actionId}) ${outcome}: ${words}`;
  const severity = outcome === "failed" ? "critical" : outcome === "done" || outcome === "stale" ? "ok" : "warning";
  return [{ kind: "outcome", subject, words: told, severity, action: actionId, ...incidentId(book, actionId) }];
}

function incidentId(book: IncidentBook, actionId: string): { incident?: string } {
  const found = incidentOf(book, actionId);
  return found === undefined ? {} : { incident: found.id };
}
