import type { Action } from "../../contract/action.ts";
import type { RuledOut, Verdict } from "../../contract/verdict.ts";

/** What `pdctl replay` prints, a line each. */
export type ReplayLine =
  | {
      readonly t: number;
      readonly kind: "verdict";
      readonly subject: string;
      readonly verdict: string;
      readonly cause?: string;
      readonly evidence: readonly string[];
      readonly ruled_out: readonly RuledOut[];
    }
  | {
      readonly t: number;
      readonly kind: "action";
      readonly action: string;
      readonly target: string;
      readonly why: string;
    };

export function replayLine(t: number, decision: Verdict | Action): ReplayLine {
  if ("action" in decision) {
    const { action, target, why } = decision;
    return { t, kind: "action", action, target, why };
  }
  const { subject, verdict, cause, evidence, ruledOut } = decision;
  const named = cause === undefined ? { verdict } : { verdict, cause };
  return { t, kind: "verdict", subject, ...named, evidence, ruled_out: ruledOut };
}

/** Which verdicts are new: the first one of a subject, and every change of verdict or cause. */
export class Changes {
  #last = new Map<string, string>();

  of(verdicts: readonly Verdict[]): Verdict[] {
    const now = new Map(verdicts.map(({ subject, verdict, cause }) => [subject, `${verdict} ${cause ?? ""}`]));
    const changed = verdicts.filter(({ subject }) => this.#last.get(subject) !== now.get(subject));
    // Requests come and go without end; the others stay as many as there are.
    const kept = [...this.#last].filter(([subject]) => !subject.startsWith("request "));
    this.#last = new Map([...kept, ...now]);
    return changed;
  }
}
