import type { DaemonClient } from "../client/daemon-client.ts";
import type { RequestView, Span } from "../contract/request-view.ts";
import { until } from "../lib/wait.ts";
import { shownBytes, shownMs } from "./quantities.ts";

// The engine's snapshot follows the last token by a step.
const settleLimitMs = 2_000;
const lookEveryMs = 50;

// Of an id's 32 digits: few enough to type, and `inspect req` takes a beginning.
const idDigitsShown = 8;

/** The line under an answer: which request it was, and how long prefill, transfer and decode took. */
export async function answerTimeline(client: DaemonClient, requestId: string, signal: AbortSignal): Promise<string> {
  let last: RequestView | undefined;
  const look = async (): Promise<RequestView | undefined> => {
    const { request, legs } = await client.request(requestId, signal);
    last = request;
    return legs.length > 0 && legs.every(({ record }) => !record.live) ? request : undefined;
  };
  const request = (await until(look, { everyMs: lookEveryMs, limitMs: settleLimitMs, signal })) ?? last;
  return request === undefined ? `request ${requestId}` : timelineLine(request);
}

/** "request 3f2a91bc  prefill 35 ms, transfer 1.2 ms (810.0 KiB), decode 52.1 tok/s". */
export function timelineLine({ id, spans, bytesDone, outputTokens }: RequestView): string {
  const took = (stage: Span["stage"]): number | undefined => spans.find((span) => span.stage === stage)?.durationMs;
  const prefill = took("prefill");
  const transfer = took("transfer");
  const moved = bytesDone === undefined ? "" : ` (${shownBytes(bytesDone)})`;
  const stages = [
    prefill === undefined ? [] : [`prefill ${shownMs(prefill)}`],
    transfer === undefined ? [] : [`transfer ${shownMs(transfer)}${moved}`],
    [`decode ${speed(outputTokens, took("decode"))}`],
  ];
  return `request ${id.slice(0, idDigitsShown)}  ${stages.flat().join(", ")}`;
}

// Prefill brings the first token: decode's time is that of the others.
function speed(tokens: number | undefined, durationMs: number | undefined): string {
  if (durationMs === undefined || tokens === undefined) return "unknown";
  if (tokens < 2 || durationMs <= 0) return shownMs(durationMs);
  return `${(((tokens - 1) * 1_000) / durationMs).toFixed(1)} tok/s`;
}
