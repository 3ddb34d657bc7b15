import type { Cause, VerdictName } from "../../contract/verdict.ts";

/** What was told without a verdict is that a budget is used up. */
export const spentMark = "spent ";

/** What makes one thing that people are told the same as another. */
export function toldKey({
  target,
  verdict,
}: {
  readonly target: string;
  readonly verdict?: { readonly verdict: VerdictName; readonly cause?: Cause | undefined } | undefined;
}): string {
  if (verdict === undefined) return `${spentMark}${target}`;
  return [target, verdict.verdict, verdict.cause].filter((part) => part !== undefined).join(" ");
}
