import type { Cause, VerdictName } from "../../contract/verdict.ts";

/** What makes one thing that people are told the same as another. */
export function toldKey({
  target,
  verdict,
}: {
  readonly target: string;
  readonly verdict?: { readonly verdict: VerdictName; readonly cause?: Cause | undefined } | undefined;
}): string {
  return [target, verdict?.verdict, verdict?.cause].filter((part) => part !== undefined).join(" ");
}
