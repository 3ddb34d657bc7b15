import type { RequestDetail, RequestView, Span } from "../contract/request-view.ts";
import { shownMs } from "./quantities.ts";
import { movedText } from "./requests-table.ts";
import { table } from "./table.ts";

/** One request for people: what it is, its stages one after the other, and what went wrong. */
export function requestPage({ request, unanswered }: RequestDetail): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Request", request.id],
    ["Client id", request.clientId],
    ["Room", request.room],
    ["Stage", stageText(request)],
    ["Arrived", request.arrived],
    ["Age", shownMs(request.ageMs)],
    ["Edge", edgeText(request)],
    ["Attempt", request.attempt === undefined ? undefined : String(request.attempt)],
    ["Tokens", tokensText(request)],
    ["Moved", bytesText(request)],
    [
      "Deadline",
      request.deadline &&
        `${request.deadline.name} on ${request.deadline.engine}, in ${shownMs(request.deadline.inMs)}`,
    ],
    ["Failure", request.failure && `${request.failure.code}: ${request.failure.words}`],
    ["No answer", unanswered.length === 0 ? undefined : `${unanswered.join(", ")}: what they know is missing here`],
  ];
  const known = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(10)} ${value}\n`]));
  return `${known.join("")}\n${table(["STAGE", "AT", "TOOK", "NOTE"], request.spans.map(spanRow))}`;
}

function stageText({ stage, stageAgeMs, live }: RequestView): string {
  return live && stageAgeMs !== undefined ? `${stage}, for ${shownMs(stageAgeMs)}` : stage;
}

function edgeText({ prefill, decode }: RequestView): string | undefined {
  return prefill === undefined && decode === undefined ? undefined : `${prefill ?? "?"} → ${decode ?? "?"}`;
}

function tokensText({ promptTokens, outputTokens }: RequestView): string | undefined {
  if (promptTokens === undefined && outputTokens === undefined) return undefined;
  return `${promptTokens ?? "?"} of prompt, ${outputTokens ?? "?"} of answer`;
}

function bytesText(request: RequestView): string | undefined {
  const text = movedText(request);
  if (text === undefined || request.bytesDone !== request.bytesTotal) return text;
  return `${text} (${request.bytesDone} bytes), all of it`;
}

function spanRow({ stage, atMs, durationMs, overlapMs }: Span): string[] {
  const note = overlapMs === undefined || overlapMs === 0 ? "" : `and ${shownMs(overlapMs)} beside prefill`;
  return [stage, `+${shownMs(atMs)}`, durationMs === undefined ? "goes on" : shownMs(durationMs), note];
}
