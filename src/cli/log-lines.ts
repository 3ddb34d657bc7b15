import type { LogLine } from "./log-files.ts";

/** What to show of the lines that are there. */
export type LogChoice = { readonly linesMax: number; readonly sinceUnixMs: number | undefined };

/** The newest lines of one log. A line without a time of its own belongs to the one above it. */
export function chosenLines(lines: readonly LogLine[], { linesMax, sinceUnixMs }: LogChoice): LogLine[] {
  if (linesMax === 0) return [];
  if (sinceUnixMs === undefined) return lines.slice(-linesMax);
  const first = lines.findIndex(({ text }) => (timeOf(text) ?? Number.NEGATIVE_INFINITY) >= sinceUnixMs);
  return first < 0 ? [] : lines.slice(first).slice(-linesMax);
}

/** A line as it is shown; the name is before it where several logs are. */
export function shownLine({ name, text }: LogLine, width: number): string {
  return width === 0 ? `${text}\n` : `${name.padEnd(width)} | ${text}\n`;
}

// Logs of pdctl are JSON with a time; others may begin with one.
function timeOf(text: string): number | undefined {
  const found = /"time":"([^"]+)"/.exec(text)?.[1] ?? /^\[?(\d{4}-\d\d-\d\d[T ][\d:.]+Z?)/.exec(text)?.[1];
  const unixMs = found === undefined ? Number.NaN : Date.parse(found);
  return Number.isNaN(unixMs) ? undefined : unixMs;
}
