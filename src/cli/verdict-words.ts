import type { Cause, Verdict, VerdictName } from "../contract/verdict.ts";
import { verdictWords } from "../contract/verdict-words.ts";
import { factLines } from "./fact-lines.ts";
import { shownMs } from "./quantities.ts";
import { remedies } from "./remedies.ts";

/** "wedge (transfer-stall)"; undefined where nothing is said. */
export function verdictText(verdict: VerdictName | undefined, cause: Cause | undefined): string | undefined {
  return verdict && verdictWords({ verdict, cause });
}

/** One verdict for people: what it says, why, what it is not and by what, and what to do. */
export function verdictPage(verdict: Verdict, { nowMs }: { readonly nowMs?: number } = {}): string {
  const { subject, cause, evidence, ruledOut, sure } = verdict;
  const since = nowMs === undefined ? "" : `, for ${shownMs(Math.max(0, nowMs - verdict.sinceMs))}`;
  const doubt = sure === "low" ? ", not sure" : "";
  return factLines([
    ["Verdict", `${verdictText(verdict.verdict, cause)} of ${subject}${since}${doubt}`],
    ["Because", evidence],
    ["Not", ruledOut.map((one) => `${one.cause}: ${one.by}`)],
    ["To do", remedies(verdict)],
  ]);
}
