import type { IncomingHttpHeaders } from "node:http";
import { errorBody, type Failure, statusOf } from "../../contract/failure-status.ts";

/** A failure as the client will see it: an engine's own answer is passed on as it is. */
export type LegFailure = {
  readonly failure: Failure;
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
};

export function ownFailure(failure: Failure): LegFailure {
  return { failure, status: statusOf(failure), body: errorBody(failure), retryAfter: undefined };
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
  const failure = told ?? { code: "internal", words: `Engine ${engine} answered ${status}.` };
  return { failure, status, body: told === undefined ? errorBody(failure) : body, retryAfter: headers["retry-after"] };
}

/** Whether the other leg may know better: these say only that the other side has failed or gone. */
export function isEcho({ failure }: LegFailure): boolean {
  return failure.code === "peer-failed" || failure.code === "peer-lost";
}

/** Of both legs' failures the one that caused the other. */
export function rootCause(first: LegFailure, second: LegFailure | undefined): LegFailure {
  return second !== undefined && rank(second) < rank(first) ? second : first;
}

function rank(failed: LegFailure): number {
  if (isEcho(failed)) return 2;
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
