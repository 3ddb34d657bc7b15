import type { Verdict } from "../../contract/verdict.ts";
import { type Draft, notice } from "./draft.ts";
import type { Rung } from "./ledger.ts";
import { remedyOf, type Step, stepOf } from "./remedy.ts";
import type { Situation } from "./situation.ts";
import { stepDrafts } from "./steps.ts";

// The same place wedged again within that time goes on where the ladder stood: a stuck worker survives an abort.
const rememberMs = 600_000;

/** The next step of the ladder at one place, for the verdicts that stand there. */
export function climb(place: string, verdicts: readonly Verdict[], situation: Situation): readonly Draft[] {
  const [worst] = verdicts;
  if (worst === undefined) return [];
  const rungs = recentRungs(place, situation);
  const last = rungs.at(-1);
  if (last === undefined) return stepFrom(0, verdicts, situation);
  const step = stepOf(last.action);
  const first = firstOf(rungs, step) ?? last;
  const unnamed = verdicts.filter((verdict) => isOlder(verdict, first) && !isNamed(verdict, rungs));
  if (isOpen(last, situation)) return step === "fail" ? again(unnamed, situation) : [];
  const steps = stepsOf(worst);
  const at = step === undefined ? -1 : steps.indexOf(step);
  if (last.outcome === "stale") return stepFrom(Math.max(0, at), verdicts, situation);
  // Those were stuck before the first of the fails already, so that it tells nothing about them.
  if (step === "fail" && unnamed.length === verdicts.length) return again(unnamed, situation);
  const answer = tryEach(steps.slice(at + 1), verdicts, situation);
  if (answer.kind !== "none") return answer.drafts;
  // Nothing higher applies: what has come since gets what the others got.
  const since = verdicts.filter((one) => (isOnRequest(one) ? !isNamed(one, rungs) : !isOlder(one, last)));
  const repeated = tryEach([...steps.slice(Math.max(0, at), at + 1), ...steps.slice(0, 1)], since, situation);
  return repeated.kind === "none" ? [nothingLeft(worst, answer.reasons)] : repeated.drafts;
}

/** The first one of those of the same step with which the rungs end. */
function firstOf(rungs: readonly Rung[], step: Step | undefined): Rung | undefined {
  return rungs[rungs.findLastIndex(({ action }) => stepOf(action) !== step) + 1];
}

function recentRungs(place: string, { ledger, nowMs }: Situation): readonly Rung[] {
  return ledger.rungs.filter(
    (rung) =>
      rung.place === place &&
      stepOf(rung.action) !== undefined &&
      rung.outcome !== "refused" &&
      nowMs - (rung.outcomeMs ?? rung.plannedMs) < rememberMs,
  );
}

/** Its outcome is not there yet, or its effect may still come. */
function isOpen({ outcomeMs, settleMs, outcome }: Rung, { nowMs }: Situation): boolean {
  return outcomeMs === undefined || (outcome !== "failed" && nowMs < outcomeMs + settleMs);
}

function isOlder({ sinceMs }: Verdict, { outcomeMs, plannedMs }: Rung): boolean {
  return sinceMs <= (outcomeMs ?? plannedMs);
}

function isOnRequest({ subject }: Verdict): boolean {
  return subject.startsWith("request ");
}

function isNamed(verdict: Verdict, rungs: readonly Rung[]): boolean {
  if (!isOnRequest(verdict)) return true;
  return verdict.requests.every((id) => rungs.some((rung) => rung.requests.includes(id)));
}

function again(verdicts: readonly Verdict[], situation: Situation): readonly Draft[] {
  return verdicts.length === 0 ? [] : stepFrom(0, verdicts, situation);
}

function stepsOf(verdict: Verdict): readonly Step[] {
  const remedy = remedyOf(verdict);
  return remedy.kind === "ladder" ? remedy.steps : [];
}

/** The first step from there on that applies and is allowed; where none is left, people are told. */
function stepFrom(from: number, verdicts: readonly Verdict[], situation: Situation): readonly Draft[] {
  const [worst] = verdicts;
  if (worst === undefined) return [];
  const answer = tryEach(stepsOf(worst).slice(from), verdicts, situation);
  return answer.kind === "none" ? [nothingLeft(worst, answer.reasons)] : answer.drafts;
}

type Reason = { readonly step: Step; readonly why: string };

type Tried =
  | { readonly kind: "some"; readonly drafts: readonly Draft[] }
  | { readonly kind: "none"; readonly reasons: readonly Reason[] };

/** The first of the steps that applies; or why none does. */
function tryEach(steps: readonly Step[], verdicts: readonly Verdict[], situation: Situation): Tried {
  const reasons: Reason[] = [];
  if (verdicts.length === 0) return { kind: "none", reasons };
  for (const [index, step] of steps.entries()) {
    const answer = stepDrafts(step, verdicts, situation);
    if (answer.kind === "wait") return { kind: "some", drafts: [] };
    if (answer.kind === "do") {
      const next = steps.slice(index + 1).find((later) => stepDrafts(later, verdicts, situation).kind === "do");
      return { kind: "some", drafts: answer.drafts.map((draft) => finished(draft, next)) };
    }
    reasons.push({ step, why: answer.why });
    if (answer.kind === "stop") break;
  }
  return { kind: "none", reasons };
}

function nothingLeft(worst: Verdict, reasons: readonly Reason[]): Draft {
  if (reasons.length === 0) return notice(worst, "nothing that helps is left to do");
  // One that has ended is started again all the same: the fleet is meant to run.
  const what = worst.verdict === "down" ? "beyond a start within policy.restarts nothing is done" : "nothing is done";
  return notice(worst, `${what} (${reasonWords(reasons)})`);
}

/** "fail, isolate: policy.act does not allow it; restart: no engine is proven guilty". */
function reasonWords(reasons: readonly Reason[]): string {
  const whys = [...new Set(reasons.map(({ why }) => why))];
  const stepsOfWhy = (wanted: string): string =>
    reasons.flatMap(({ step, why }) => (why === wanted ? [step] : [])).join(", ");
  return whys.map((why) => `${stepsOfWhy(why)}: ${why}`).join("; ");
}

const actionOfStep = { fail: "fail", isolate: "quarantine", restart: "restart", "co-restart": "co-restart" } as const;

function finished(draft: Draft, next: Step | undefined): Draft {
  return next === undefined || draft.action === "notify" ? draft : { ...draft, next: actionOfStep[next] };
}
