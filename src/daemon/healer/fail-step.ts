import { subjectParts } from "../../contract/subject.ts";
import type { Verdict } from "../../contract/verdict.ts";
import { answerTo, type Draft, notice, type StepAnswer, settleOf, whyOf } from "./draft.ts";
import type { Situation } from "./situation.ts";

// So that one tick cannot flood the engines; the rest follow in the next ones.
const failsMax = 64;

/** Fails what the verdicts name, on every leg; where nothing can be named, all of the pair, if none of it moves. */
export function failDrafts(verdicts: readonly Verdict[], situation: Situation): StepAnswer {
  const drafts = verdicts.slice(0, failsMax).map((verdict) => failDraft(verdict, situation));
  return { kind: "do", drafts };
}

function failDraft(verdict: Verdict, situation: Situation): Draft {
  const { subject, requests, moving } = verdict;
  const base = { ...answerTo(verdict), why: whyOf(verdict), settleMs: settleOf(verdict.engines, situation) };
  const [only, ...others] = requests;
  if (only !== undefined) {
    const target = others.length === 0 ? (`request ${only}` as const) : subject;
    return { action: "fail", target, ...base, effect: "no engine holds it any more", requests: [...requests] };
  }
  if (moving || subjectParts(subject)?.kind !== "edge") {
    return notice(verdict, "no request can be named, and other work there makes progress");
  }
  return { action: "abort", target: subject, ...base, effect: "the edge holds no request any more" };
}
