import type { Cause, VerdictName } from "./verdict.ts";

/** "wedge (transfer-stall)", or the verdict alone: the one way in which people read it, everywhere. */
export function verdictWords({
  verdict,
  cause,
}: {
  readonly verdict: VerdictName;
  readonly cause?: Cause | undefined;
}): string {
  return cause === undefined ? verdict : `${verdict} (${cause})`;
}
