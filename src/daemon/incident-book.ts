import type { Action, Outcome } from "../contract/action.ts";
import type { Subject } from "../contract/subject.ts";
import type { Verdict } from "../contract/verdict.ts";
import { withActions, withOutcomes, withVerdicts } from "./incident-lines.ts";
import { covers, isWell, openingOf, scopeOf } from "./incident-scope.ts";
import type { KeptIncident } from "./journal/page.ts";

/** Incidents that are open, and the latest ones that have ended. */
export type IncidentBook = {
  /** How many were ever opened: the last id. */
  readonly opened: number;
  readonly open: readonly KeptIncident[];
  /** The newest first. */
  readonly ended: readonly KeptIncident[];
};

export type Turn = {
  readonly verdicts: readonly Verdict[];
  readonly actions: readonly Action[];
  readonly outcomes: readonly Outcome[];
  /** Whether the fleet is meant to run: one that is being stopped has no trouble. */
  readonly isWanted: boolean;
  readonly nowMs: number;
  readonly wallMs: number;
};

const subjectsMax = 64;
const endedMax = 100;
const openMax = 100;

export const emptyBook: IncidentBook = { opened: 0, open: [], ended: [] };

/** The book after one tick. What has not changed is the same object. */
export function turned(before: IncidentBook, turn: Turn): IncidentBook {
  const opened = turn.isWanted
    ? openingOf(turn.verdicts).reduce((book, one) => taken(book, one, turn), before)
    : before;
  const bySubject = new Map(turn.verdicts.map((one) => [one.subject, one]));
  const at = isoOf(turn.wallMs);
  const next = opened.open.map((one) =>
    withOutcomes(withActions(withVerdicts(one, bySubject, at), turn.actions, at), turn.outcomes),
  );
  const over = next.filter((one) => isWell(one, bySubject)).map((one) => closed(one, turn));
  if (over.length === 0 && next.every((one, index) => one === opened.open[index])) return late(opened, turn.outcomes);
  const open = next.filter((one) => !isWell(one, bySubject));
  return late({ ...opened, open, ended: [...over.reverse(), ...opened.ended].slice(0, endedMax) }, turn.outcomes);
}

/** The incident that an action belongs to, open ones first. */
export function incidentOf(book: IncidentBook, actionId: string): KeptIncident | undefined {
  const holds = ({ actions }: KeptIncident): boolean => actions.some(({ action }) => action.id === actionId);
  return book.open.find(holds) ?? book.ended.find(holds);
}

// A verdict joins the incident that it is part of, widens the one that is part of it, or opens one.
function taken(book: IncidentBook, verdict: Verdict, turn: Turn): IncidentBook {
  const scope = scopeOf(verdict);
  const found = book.open.find((one) => one.subjects.some((subject) => covers(subject, scope)));
  if (found !== undefined) {
    const subjects = withSubject(found.subjects, verdict.subject);
    return subjects === found.subjects ? book : replaced(book, { ...found, subjects });
  }
  const narrower = book.open.find((one) => covers(verdict.subject, one));
  if (narrower !== undefined) return replaced(book, widened(narrower, verdict));
  if (book.open.length >= openMax) return book;
  return { ...book, opened: book.opened + 1, open: [...book.open, begun(verdict, book.opened + 1, turn)] };
}

function begun(verdict: Verdict, number: number, { nowMs, wallMs }: Turn): KeptIncident {
  return {
    id: `i${number}`,
    subject: verdict.subject,
    verdict: verdict.verdict,
    ...(verdict.cause === undefined ? {} : { cause: verdict.cause }),
    since: isoOf(wallMs - Math.max(0, nowMs - verdict.sinceMs)),
    subjects: [verdict.subject],
    engines: [...scopeOf(verdict).engines],
    sinceMs: Math.min(verdict.sinceMs, nowMs),
    verdicts: [],
    actions: [],
  };
}

function widened(incident: KeptIncident, { subject, verdict, cause, engines }: Verdict): KeptIncident {
  const { cause: _before, ...rest } = incident;
  return {
    ...rest,
    subject,
    verdict,
    ...(cause === undefined ? {} : { cause }),
    subjects: withSubject(incident.subjects, subject),
    engines: [...new Set([...incident.engines, ...engines])],
  };
}

function withSubject(subjects: readonly Subject[], subject: Subject): Subject[] {
  if (subjects.includes(subject)) return subjects as Subject[];
  return [...subjects, subject].slice(0, subjectsMax);
}

// An outcome may come after the incident has ended: health was seen before the word that it was done.
function late(book: IncidentBook, outcomes: readonly Outcome[]): IncidentBook {
  if (outcomes.length === 0) return book;
  const ended = book.ended.map((one) => withOutcomes(one, outcomes));
  return ended.every((one, index) => one === book.ended[index]) ? book : { ...book, ended };
}

function closed(incident: KeptIncident, { nowMs, wallMs }: Turn): KeptIncident {
  return { ...incident, ended: isoOf(wallMs), healSeconds: Math.max(0, nowMs - incident.sinceMs) / 1_000 };
}

function replaced(book: IncidentBook, incident: KeptIncident): IncidentBook {
  return { ...book, open: book.open.map((one) => (one.id === incident.id ? incident : one)) };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
