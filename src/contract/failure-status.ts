/** Why a request failed, with the HTTP status that says so. The codes are those of native/core/failure.h and a few of HTTP's own. */
const statusOfFailure: Readonly<Record<string, number>> = {
  invalid: 400,
  "too-long": 400,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "request-timeout": 408,
  "duplicate-room": 409,
  "stale-epoch": 409,
  "too-large": 413,
  "unsupported-type": 415,
  "queue-full": 429,
  "headers-too-large": 431,
  internal: 500,
  "prompt-mismatch": 502,
  "kv-corruption": 502,
  "peer-lost": 502,
  "peer-failed": 502,
  "peer-refused": 502,
  "engine-lost": 502,
  // Someone asked for its end; a client that left never reads it.
  aborted: 503,
  starting: 503,
  draining: 503,
  shutdown: 503,
  "pool-exhausted": 503,
  saturated: 503,
  // Its engine is started again, or nothing could take it while one was. OpenAI's clients know codes with underscores.
  engine_restarted: 503,
  held: 503,
  "bootstrap-timeout": 504,
  "waiting-timeout": 504,
  "inflight-timeout": 504,
  "queue-timeout": 504,
  "first-token-timeout": 504,
  "token-gap-timeout": 504,
};

export type Failure = { readonly code: string; readonly words: string };

/** A code that this version does not know is a fault of the server. */
export function statusOf(failure: Failure): number {
  return statusOfFailure[failure.code] ?? 500;
}

/** The body of an error, in OpenAI's shape. `param` names the field of the request that is wrong. */
export function errorBody(failure: Failure, param?: string): string {
  const type = statusOf(failure) < 500 ? "invalid_request_error" : "server_error";
  return JSON.stringify({ error: { message: failure.words, type, code: failure.code, param: param ?? null } });
}

/** The same with its status. */
export function errorAnswer(failure: Failure, param?: string): { readonly status: number; readonly body: string } {
  return { status: statusOf(failure), body: errorBody(failure, param) };
}
