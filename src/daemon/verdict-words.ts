import type { Cause, VerdictName } from "../contract/verdict.ts";

/** "wedge (transfer-stall)", or the verdict alone. */
export function verdictWords({
  verdict,
  cause,
}: {
  readonly verdict: VerdictName;
  readonly cause?: Cause | undefined;
}): string {
  return cause === undefined ? verdict : `${verdict} (${cause})`;
}
