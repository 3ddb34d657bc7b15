import type { RequestDetail, RequestView, Span } from "../contract/request-view.ts";
import { factLines } from "./fact-lines.ts";
import { shownMs } from "./quantities.ts";
import { stepsTable } from "./request-steps.ts";
import { movedText } from "./requests-table.ts";
import { table } from "./table.ts";
import { verdictPage } from "./verdict-words.ts";

/** One request for people: what it is, its stages one after the other, who did what when, and what is wrong. */
export function requestPage(detail: RequestDetail, { nowMs }: { readonly nowMs?: number } = {}): string {
  const { request, verdicts = [] } = detail;
  return [
    facts(detail),
    request.spans.length === 0 ? noSpans : table(["STAGE", "AT", "TOOK", "NOTE"], request.spans.map(spanRow)),
    stepsTable(detail),
    ...verdicts.map((verdict) => verdictPage(verdict, nowMs === undefined ? {} : { nowMs })),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

// Their records end with the engine's process.
const noSpans = "No engine has its stages on record any more, or yet.\n";

function facts({ request, unanswered }: RequestDetail): string {
  const { deadline, failure } = request;
  return factLines([
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
    ["Deadline", deadline && `${deadline.name} on ${deadline.engine}, in ${shownMs(deadline.inMs)}`],
    ["Failure", failure && `${failure.code}: ${failure.words}`],
    ["No answer", unanswered.length === 0 ? undefined : `${unanswered.join(", ")}: what they know is missing here`],
  ]);
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
