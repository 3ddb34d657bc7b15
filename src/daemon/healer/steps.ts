import { subjectParts } from "../../contract/subject.ts";
import type { Verdict } from "../../contract/verdict.ts";
import { mayCoRestart, mayStart } from "./budget.ts";
import { answerTo, type Draft, type StepAnswer, settleOf, whyOf } from "./draft.ts";
import { failDrafts } from "./fail-step.ts";
import { placeOf } from "./place.ts";
import { allSteps, type Step } from "./remedy.ts";
import { closedSet } from "./scope.ts";
import type { ProcessFact, Situation } from "./situation.ts";

/** One step of the ladder for verdicts of one place, or why it is none. */
export function stepDrafts(step: Step, verdicts: readonly Verdict[], situation: Situation): StepAnswer {
  const [worst] = verdicts;
  if (worst === undefined) return { kind: "wait" };
  if (worst.moving && step !== "fail" && step !== "isolate") {
    return { kind: "skip", why: "other work on it makes progress" };
  }
  const barred = whyBarred(step, worst, situation);
  if (barred !== undefined) return { kind: "skip", why: barred };
  switch (step) {
    case "fail":
      return failDrafts(verdicts, situation);
    case "isolate":
      return isolate(worst, situation);
    case "restart":
      return restart(worst, situation);
    case "co-restart":
      return coRestart(verdicts, worst, situation);
  }
}

function whyBarred(step: Step, verdict: Verdict, situation: Situation): string | undefined {
  if (situation.restricted !== undefined && step !== "fail") return situation.restricted;
  const attached = concerned(verdict, situation).some((process) => process.attached);
  const allowed: readonly Step[] = situation.policy.act ?? (attached ? ["fail"] : allSteps);
  return allowed.includes(step) ? undefined : "policy.act does not allow it";
}

function concerned({ engines }: Verdict, { processes }: Situation): readonly ProcessFact[] {
  return processes.filter(({ name }) => engines.includes(name));
}

/** Takes the edge, or the engine, out of what the router may use; only where something is left to use. */
function isolate(verdict: Verdict, situation: Situation): StepAnswer {
  const place = subjectParts(placeOf(verdict));
  const ready = situation.processes.filter(({ state }) => state === "ready");
  const base = { ...answerTo(verdict), why: whyOf(verdict), settleMs: settleOf(verdict.engines, situation) };
  const alone: StepAnswer = { kind: "skip", why: "no other edge would remain" };
  if (place?.kind === "edge") {
    const others =
      ready.filter(({ role }) => role === "prefill").length * ready.filter(({ role }) => role === "decode").length;
    if (others < 2) return alone;
    const effect = "no new request takes that edge, and what is on it ends";
    return {
      kind: "do",
      drafts: [{ action: "quarantine", target: `edge ${place.prefill}:${place.decode}`, ...base, effect }],
    };
  }
  if (place?.kind !== "engine") return { kind: "skip", why: "it is neither an edge nor an engine" };
  const own = situation.processes.find(({ name }) => name === place.name);
  if (!ready.some(({ role, name }) => role === own?.role && name !== place.name)) return alone;
  const effect = "no new request reaches it, and what is on it ends";
  return { kind: "do", drafts: [{ action: "drain", target: `engine ${place.name}`, ...base, effect }] };
}

function restart(verdict: Verdict, situation: Situation): StepAnswer {
  const parts = subjectParts(verdict.subject);
  const isRouter = parts?.kind === "router";
  const name = isRouter ? "router" : verdict.guilty;
  if (name === undefined) return { kind: "skip", why: "no engine is proven guilty" };
  const process = situation.processes.find((one) => (isRouter ? one.role === "router" : one.name === name));
  if (process === undefined) return { kind: "skip", why: `nothing is known of a process ${name}` };
  if (process.attached && process.control !== true) return stop(`restart ${name} where it runs`);
  if (!mayStart(name, situation)) {
    return stop(
      `${name} has used up its restarts (policy.restarts.max: ${situation.policy.restarts.max}); by hand: pdctl restart ${name} --force`,
    );
  }
  return {
    kind: "do",
    drafts: [
      {
        action: "restart",
        target: isRouter ? "router" : `engine ${name}`,
        generation: verdict.generation ?? process.generation,
        ...answerTo(verdict),
        why: whyOf(verdict),
        effect: "it comes up again, and a request goes through it",
        settleMs: settleOf([name], situation),
        requests: [...verdict.requests],
      },
    ],
  };
}

function stop(why: string): StepAnswer {
  return { kind: "stop", why };
}

function coRestart(verdicts: readonly Verdict[], worst: Verdict, situation: Situation): StepAnswer {
  if (Object.values(situation.ledger.open).some(({ action }) => action === "co-restart")) return { kind: "wait" };
  const engines = closedSet(worst.engines, situation);
  if (engines.length === 0) return { kind: "skip", why: "it concerns no engine" };
  const foreign = situation.processes.filter(
    (one) => engines.includes(one.name) && one.attached && one.control !== true,
  );
  if (foreign.length > 0) return stop(`restart ${engines.join(" and ")} together where they run`);
  if (!mayCoRestart(situation)) {
    const { max, window } = situation.policy["co-restarts"];
    return stop(
      `there were ${max} co-restarts in ${window / 60_000} minutes; by hand: pdctl restart --co ${engines.join(" ")} --force`,
    );
  }
  const place = subjectParts(placeOf(worst));
  return {
    kind: "do",
    drafts: [
      {
        action: "co-restart",
        target: place?.kind === "edge" || place?.kind === "engine" ? (placeOf(worst) as Draft["target"]) : "fleet",
        ...answerTo(worst),
        why: whyOf(worst),
        effect: "the engines come up together with a new epoch, and a request goes through them",
        settleMs: settleOf(engines, situation),
        engines: [...engines],
        requests: [...new Set(verdicts.flatMap(({ requests }) => requests))],
      },
    ],
  };
}
