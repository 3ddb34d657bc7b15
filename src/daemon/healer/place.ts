import { subjectParts } from "../../contract/subject.ts";
import type { Verdict } from "../../contract/verdict.ts";

/**
 * Where the ladder stands for a verdict: requests come and go, but what pins one will pin the next, so the steps taken
 * are remembered for the edge or the engine that holds it. `engines` names prefill before decode.
 */
export function placeOf({ subject, engines }: Pick<Verdict, "subject" | "engines">): string {
  if (subjectParts(subject)?.kind !== "request") return subject;
  const [prefill, decode] = engines;
  if (prefill === undefined) return subject;
  return decode === undefined ? `engine ${prefill}` : `edge ${prefill}:${decode}`;
}
