import { type Subject, subjectParts } from "../contract/subject.ts";
import type { Verdict, VerdictName } from "../contract/verdict.ts";

/** Verdicts that are trouble of their own: a person would want to be told. */
const openingVerdicts: readonly VerdictName[] = ["wedge", "leak", "storm", "fault", "down"];

/** Verdicts that say, where they are fresh, that a subject is well again. */
const healthy: readonly VerdictName[] = ["ok", "idle", "busy", "slow", "draining", "paused"];

const breadth = { fleet: 0, router: 1, engine: 2, edge: 3, request: 4 } as const;

/** Those that open an incident, the broadest subject first: the narrower ones are part of it. */
export function openingOf(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts
    .filter(({ verdict }) => openingVerdicts.includes(verdict))
    .sort((a, b) => breadthOf(a.subject) - breadthOf(b.subject) || a.sinceMs - b.sinceMs);
}

/** What is said of a subject, and which engines it concerns. */
export type Scope = { readonly subject: Subject; readonly engines: readonly string[] };

export function scopeOf({ subject, engines }: Scope): Scope {
  const parts = subjectParts(subject);
  return { subject, engines: [...new Set([...(parts?.kind === "engine" ? [parts.name] : []), ...engines])] };
}

/** Whether trouble of `a` explains trouble of `b`: it is the same subject, or a part of it. */
export function covers(a: Subject, b: Scope): boolean {
  if (a === b.subject) return true;
  const parts = subjectParts(a);
  const isPart = breadthOf(a) < breadthOf(b.subject) && b.subject !== "router";
  if (parts === undefined || !isPart) return false;
  switch (parts.kind) {
    case "fleet":
      return true;
    case "engine":
      return b.engines.includes(parts.name);
    case "edge":
      return b.engines.length > 0 && b.engines.every((name) => name === parts.prefill || name === parts.decode);
    case "router":
    case "request":
      return false;
  }
}

/** Whether fresh looks show that all subjects and the engines that they concern are well. Unknown never does. */
export function isWell(
  { subjects, engines }: { readonly subjects: readonly Subject[]; readonly engines: readonly string[] },
  verdicts: ReadonlyMap<Subject, Verdict>,
): boolean {
  const freshlyWell = (subject: Subject): boolean => {
    const found = verdicts.get(subject);
    return found?.fresh === true && healthy.includes(found.verdict);
  };
  // An edge or a request of which nothing is said is well, or gone, where its engines are freshly well.
  const quiet = (subject: Subject): boolean => !verdicts.has(subject) || freshlyWell(subject);
  return (
    subjects.every((subject) => (breadthOf(subject) < breadth.edge ? freshlyWell(subject) : quiet(subject))) &&
    engines.every((name) => freshlyWell(`engine ${name}`))
  );
}

function breadthOf(subject: Subject): number {
  const parts = subjectParts(subject);
  return parts === undefined ? breadth.request : breadth[parts.kind];
}
