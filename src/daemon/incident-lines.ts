import type { Action, Outcome } from "../contract/action.ts";
import type { Subject } from "../contract/subject.ts";
import type { Verdict } from "../contract/verdict.ts";
import { covers, openingOf, scopeOf } from "./incident-scope.ts";
import type { KeptIncident } from "./journal/page.ts";

// Of one incident: whoever reads it wants its beginning and its end.
const linesMax = 64;

/** The incident with what is newly said of its subjects. */
export function withVerdicts(
  incident: KeptIncident,
  verdicts: ReadonlyMap<Subject, Verdict>,
  at: string,
): KeptIncident {
  const fresh = incident.subjects.flatMap((subject) => {
    const now = verdicts.get(subject);
    const last = incident.verdicts.findLast(({ verdict }) => verdict.subject === subject)?.verdict;
    const isNew = now !== undefined && (now.verdict !== last?.verdict || now.cause !== last?.cause);
    return isNew ? [{ at, verdict: now }] : [];
  });
  if (fresh.length === 0) return incident;
  const own = fresh.find(({ verdict }) => verdict.subject === incident.subject)?.verdict;
  // What it is called is the worst that was said of its subject: it stays when things get better.
  const named =
    own !== undefined && openingOf([own]).length > 0
      ? { verdict: own.verdict, ...(own.cause === undefined ? {} : { cause: own.cause }) }
      : {};
  return { ...incident, ...named, verdicts: bounded([...incident.verdicts, ...fresh]) };
}

/** The incident with the new actions that concern it. */
export function withActions(incident: KeptIncident, actions: readonly Action[], at: string): KeptIncident {
  const fresh = actions
    .filter((one) => one.action !== "canary" && concerns(one, incident))
    .map((action) => ({ at, action }));
  return fresh.length === 0 ? incident : { ...incident, actions: bounded([...incident.actions, ...fresh]) };
}

function concerns({ target, verdict, requests = [], engines = [] }: Action, incident: KeptIncident): boolean {
  if (incident.subjects.some((subject) => subject === target || subject === verdict?.subject)) return true;
  const scope = scopeOf({ subject: target, engines });
  return (
    incident.subjects.some((subject) => covers(subject, scope)) ||
    incident.subjects.some((subject) => covers(target, { subject, engines: incident.engines })) ||
    requests.some((id) => incident.subjects.includes(`request ${id}`))
  );
}

/** The incident with how its actions ended. */
export function withOutcomes(incident: KeptIncident, outcomes: readonly Outcome[]): KeptIncident {
  const by = new Map(outcomes.map((one) => [one.actionId, one]));
  const isNew = ({ action, outcome }: KeptIncident["actions"][number]): boolean =>
    outcome === undefined && by.has(action.id);
  if (!incident.actions.some(isNew)) return incident;
  const actions = incident.actions.map((one) => {
    const outcome = by.get(one.action.id);
    return isNew(one) && outcome !== undefined ? { ...one, outcome } : one;
  });
  return { ...incident, actions, ...doneWords(actions) };
}

function doneWords(actions: KeptIncident["actions"]): { done?: string } {
  const last = actions.findLast(({ outcome }) => outcome !== undefined);
  if (last?.outcome === undefined) return {};
  return { done: `${last.action.action} ${last.action.target}: ${last.outcome.outcome}, ${last.outcome.words}` };
}

function bounded<T>(lines: readonly T[]): T[] {
  if (lines.length <= linesMax) return [...lines];
  return [...lines.slice(0, linesMax / 2), ...lines.slice(-linesMax / 2)];
}
