import type { Failure } from "../../contract/failure-status.ts";
import type { Edge } from "../edges/edge.ts";

/** Names who has not done what, so that nobody has to guess which engine to look at. */
export function noFirstToken({ prefill, decode }: Edge, limitMs: number): Failure {
  const first = prefill === undefined ? "" : `prefill engine ${prefill.name} has not finished, `;
  const words = `No token came within ${limitMs / 1000} s: ${first}decode engine ${decode.name} has not begun to answer.`;
  return { code: "first-token-timeout", words };
}

export function tokenGap({ decode }: Edge, limitMs: number): Failure {
  return { code: "token-gap-timeout", words: `Engine ${decode.name} sent nothing for ${limitMs / 1000} s.` };
}

export function clientStalled(limitMs: number): Failure {
  return { code: "aborted", words: `The client read nothing for ${limitMs / 1000} s.` };
}

/** `words` say how: "refuses connections". */
export function engineLost(engine: string, words: string): Failure {
  return { code: "engine-lost", words: `Engine ${engine} ${words}.` };
}

/** Its engine is going to be another one, or is already. */
export function restarted(words: string): Failure {
  return { code: "engine_restarted", words };
}
