import type { RequestList, RequestView } from "../contract/request-view.ts";
import { shownBytes, shownMs } from "./quantities.ts";
import { table } from "./table.ts";
import { verdictText } from "./verdict-words.ts";

/** The requests of a fleet, one a line. What is unknown is a dash. */
export function requestsTable(
  { requests, unanswered }: RequestList,
  { wide, all }: { readonly wide: boolean; readonly all: boolean },
): string {
  const headings = ["ID", "ROOM", "STAGE", "IN STAGE", "AGE", "PREFILL", "DECODE", "MOVED", "DEADLINE", "VERDICT"];
  const more = ["CLIENT ID", "TRY", "PROMPT", "OUTPUT", "FAILURE"];
  const rows = requests.map((one) => (wide ? [...cells(one), ...moreCells(one)] : cells(one)));
  const silent =
    unanswered.length === 0 ? "" : `\nNo answer from ${unanswered.join(", ")}: what they know is missing here.\n`;
  const none = all ? "No requests.\n" : "No live requests; --all lists ended ones, too.\n";
  if (rows.length === 0) return none + silent;
  return table(wide ? [...headings, ...more] : headings, rows) + silent;
}

function cells({
  id,
  room,
  stage,
  stageAgeMs,
  ageMs,
  prefill,
  decode,
  deadline,
  ...request
}: RequestView): (string | undefined)[] {
  const inStage = stageAgeMs === undefined ? undefined : shownMs(stageAgeMs);
  const next = deadline === undefined ? undefined : `${deadline.name} in ${shownMs(deadline.inMs)}`;
  const said = verdictText(request.verdict, request.cause);
  return [id, room, stage, inStage, shownMs(ageMs), prefill, decode, movedText(request), next, said];
}

function moreCells({ clientId, attempt, promptTokens, outputTokens, failure }: RequestView): (string | undefined)[] {
  return [clientId, number(attempt), number(promptTokens), number(outputTokens), failure?.code];
}

/** "90.0 KiB / 180.0 KiB": moved and expected. */
export function movedText({
  bytesDone,
  bytesTotal,
}: Pick<RequestView, "bytesDone" | "bytesTotal">): string | undefined {
  if (bytesDone === undefined && bytesTotal === undefined) return undefined;
  const [done, total] = [bytesDone, bytesTotal].map((bytes) => (bytes === undefined ? "?" : shownBytes(bytes)));
  return done === total ? done : `${done} / ${total}`;
}

function number(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
