import type { Verdict, VerdictName } from "../../contract/verdict.ts";
import type { Draft } from "./draft.ts";
import { settling } from "./open.ts";
import type { ProcessFact, Situation } from "./situation.ts";

// An engine that has just come up is not believed before a canary; it is asked again that often.
const proofEveryMs = 5_000;

/** One canary for each edge whose time has come: at most one outstanding, and none into something that is stuck. */
export function canaries(situation: Situation): readonly Draft[] {
  const { desired, processes } = situation;
  const router = processes.find(({ role }) => role === "router");
  if (desired.wish !== "up" || settling(situation) || router?.state !== "ready") return [];
  return edgesOf(processes).flatMap((edge) => (isDue(edge, situation) ? [draftFor(edge, situation)] : []));
}

type Edge = { readonly prefill: ProcessFact; readonly decode: ProcessFact };

/** Every pair that is up: an engine of both roles is a pair with itself. */
function edgesOf(processes: readonly ProcessFact[]): readonly Edge[] {
  const up = processes.filter(({ state, busy }) => state === "ready" && !busy);
  const pairs = up
    .filter(({ role }) => role === "prefill")
    .flatMap((prefill) => up.filter(({ role }) => role === "decode").map((decode) => ({ prefill, decode })));
  return [...pairs, ...up.filter(({ role }) => role === "both").map((both) => ({ prefill: both, decode: both }))];
}

function subjectOf({ prefill, decode }: Edge): `edge ${string}:${string}` {
  return `edge ${prefill.name}:${decode.name}`;
}

function isDue(edge: Edge, situation: Situation): boolean {
  const { ledger, canary, nowMs } = situation;
  const subject = subjectOf(edge);
  const open = Object.values(ledger.open).some(({ action, target }) => action === "canary" && target === subject);
  if (open || isStuck(edge, situation)) return false;
  const everyMs = isStarting(edge, situation) ? proofEveryMs : canary.every;
  const lastMs = ledger.canariesMs[subject];
  if (everyMs === "off") return false;
  // The start itself has sent the first one.
  return (
    nowMs - (lastMs ?? Math.max(edge.prefill.sinceMs, edge.decode.sinceMs)) >=
    (lastMs === undefined && everyMs === proofEveryMs ? 0 : everyMs)
  );
}

// One on probation is believed again only after a canary.
const stuckNames: ReadonlySet<VerdictName> = new Set(["suspect", "wedge", "down", "fault", "storm"]);

function isStuck(edge: Edge, { verdicts }: Situation): boolean {
  const names = [edge.prefill.name, edge.decode.name];
  return verdicts.some(
    ({ subject, verdict, cause, engines }) =>
      stuckNames.has(verdict) &&
      cause !== "probation" &&
      (subject === subjectOf(edge) ||
        names.some((name) => subject === `engine ${name}`) ||
        (subject.startsWith("request ") && engines.some((name) => names.includes(name)))),
  );
}

function isStarting({ prefill, decode }: Edge, { verdicts }: Situation): boolean {
  const starting = (verdict: Verdict): boolean => verdict.verdict === "starting";
  return verdicts.some(
    (one) => starting(one) && [prefill, decode].some(({ name }) => one.subject === `engine ${name}`),
  );
}

function draftFor(edge: Edge, situation: Situation): Draft {
  return {
    action: "canary",
    target: subjectOf(edge),
    by: "wish",
    why: isStarting(edge, situation) ? "one end of the edge has just come up" : "its time has come",
    effect: "an answer through the edge",
    settleMs: 0,
  };
}
