import type { Action } from "../../contract/action.ts";
import type { Verdict } from "../../contract/verdict.ts";
import { verdictWords } from "../../contract/verdict-words.ts";
import type { Situation } from "./situation.ts";

/** An action that has no id yet. */
export type Draft = Omit<Action, "id" | "epoch">;

/** What one step of the ladder comes to. */
export type StepAnswer =
  | { readonly kind: "do"; readonly drafts: readonly Draft[] }
  /** It does not apply or is not allowed: the next one is tried. */
  | { readonly kind: "skip"; readonly why: string }
  /** Only people can do it, and nothing above it either. */
  | { readonly kind: "stop"; readonly why: string }
  /** Somebody else is at it. */
  | { readonly kind: "wait" };

/** The drafts with ids that count on from the ledger's. */
export function numbered(drafts: readonly Draft[], { ledger, epoch }: Pick<Situation, "ledger" | "epoch">): Action[] {
  return drafts.map((draft, index) => ({ id: `a${ledger.planned + index + 1}`, epoch, ...draft }));
}

/** What every action that answers a verdict carries. */
export function answerTo(verdict: Verdict): Pick<Draft, "by" | "verdict"> {
  const { subject, verdict: name, cause } = verdict;
  return { by: "healer", verdict: { subject, verdict: name, ...(cause === undefined ? {} : { cause }) } };
}

/** The why of an action: what was found, and the strongest sentence of evidence. */
export function whyOf(verdict: Verdict, more?: string): string {
  const words = [`${verdict.subject} is ${verdictWords(verdict)}`, verdict.evidence[0], more];
  return words.filter((part) => part !== undefined).join("; ");
}

/** Something that people must know, and maybe do. */
export function notice(verdict: Verdict, words: string): Draft {
  return {
    action: "notify",
    target: verdict.subject,
    ...answerTo(verdict),
    why: whyOf(verdict, words),
    effect: "somebody knows",
    settleMs: 0,
  };
}

// How long the effect of an action may take to show. SGLang keeps what it releases for 30 s.
const settleMsOf: Readonly<Record<string, number>> = { native: 5_000, embedded: 5_000, sglang: 35_000 };
const settleMsElse = 35_000;

/** The longest of those of the engines. */
export function settleOf(engines: readonly string[], { processes }: Pick<Situation, "processes">): number {
  const drivers = processes.filter(({ name }) => engines.includes(name)).map(({ driver }) => driver);
  return Math.max(...["native", ...drivers].map((driver) => settleMsOf[driver] ?? settleMsElse));
}
