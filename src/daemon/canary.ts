import { randomBytes } from "node:crypto";
import { PdctlError } from "../contract/errors.ts";
import { askJson } from "../lib/http-json.ts";
import { limited } from "../lib/wait.ts";

// Far beyond what one token takes; a fleet that needs longer does not serve.
const limitMs = 60_000;

/** Sends one small request all the way: router, prefill, transfer, decode. Throws where it does not come back. */
export async function sendCanary(url: string, signal: AbortSignal): Promise<void> {
  const limit = limited(limitMs, signal);
  const ask = {
    headers: { "x-request-id": `canary-${randomBytes(6).toString("hex")}` },
    body: { prompt: "The capital of France is", max_tokens: 1, temperature: 0 },
    signal: limit,
  };
  const words = await askJson({ url: `${url}/v1/completions` }, ask).then(
    ({ status, body }) => (status === 200 ? undefined : `it was answered ${status} ${JSON.stringify(body)}`),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  signal.throwIfAborted();
  if (words === undefined) return;
  throw new PdctlError(
    "canary-failed",
    `The first request through router, prefill, transfer and decode did not come back: ${limit.aborted ? `no answer in ${limitMs / 1_000} s` : words}.`,
    "pdctl up --foreground again, with deadlines.inflight: 10s, tells sooner which side fails; the logs are in the state folder",
  );
}
