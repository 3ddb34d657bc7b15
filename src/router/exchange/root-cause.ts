import type { IncomingHttpHeaders } from "node:http";
import { errorBody, type Failure, statusOf } from "../../contract/failure-status.ts";
import type { Engine } from "../edges/engine.ts";

/** A failure as the client will see it: an engine's own answer is passed on as it is. */
export type LegFailure = {
  readonly failure: Failure;
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  /** It says only that the other side has failed or gone, so that the other leg may know better. */
  readonly echo?: boolean;
  /** The engine that went away with the request; refused: it was gone before. */
  readonly lost?: { readonly engine: Engine; readonly refused: boolean };
};

export function ownFailure(failure: Failure, more: Partial<Pick<LegFailure, "lost" | "retryAfter">> = {}): LegFailure {
  return { failure, status: statusOf(failure), body: errorBody(failure), retryAfter: undefined, ...more };
}

/** What an engine answered instead of 200. */
export function engineFailure(
  engine: string,
  answer: { status: number; headers: IncomingHttpHeaders; body: string },
): LegFailure {
  const { status, body, headers } = answer;
  const told = readFailure(body);
  if (status === 401 || status === 403) {
    return ownFailure({
      code: "peer-refused",
      words: `Engine ${engine} refuses this router: ${told?.words ?? status}`,
    });
  }
  if (told !== undefined && isEcho(told)) return { ...ownFailure(sourceOf(told)), echo: true };
  const failure = told ?? { code: "internal", words: `Engine ${engine} answered ${status}.` };
  return { failure, status, body: told === undefined ? errorBody(failure) : body, retryAfter: headers["retry-after"] };
}

function isEcho({ code }: Failure): boolean {
  return code === "peer-failed" || code === "peer-lost";
}

// An engine tells its peer's failure in the peer's words, with the peer's code in them: "D failed it: inflight-timeout: …".
function sourceOf({ code, words }: Failure): Failure {
  const told = [...words.matchAll(/ failed it: ([a-z]+(?:-[a-z]+)*): /g)].at(-1)?.[1];
  return { code: told === undefined || statusOf({ code: told, words }) === 500 ? code : told, words };
}

/** Of both legs' failures the one that caused the other. */
export function rootCause(first: LegFailure, second: LegFailure | undefined): LegFailure {
  return second !== undefined && rank(second) < rank(first) ? second : first;
}

function rank(failed: LegFailure): number {
  if (failed.echo === true) return 2;
  return failed.failure.code === "aborted" ? 1 : 0;
}

function readFailure(body: string): Failure | undefined {
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } };
    if (typeof error?.message !== "string") return undefined;
    return { code: typeof error.code === "string" ? error.code : "internal", words: error.message };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
