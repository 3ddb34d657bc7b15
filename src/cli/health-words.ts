import type { HealthView } from "../contract/health.ts";
import type { HealthResult } from "./health-result.ts";
import { shownMs } from "./quantities.ts";
import { verdictText } from "./verdict-words.ts";

/** The result as it was asked for. */
export function healthWords(result: HealthResult, format: "text" | "nagios" | "json"): string {
  switch (format) {
    case "text":
      return text(result);
    case "nagios":
      return nagios(result);
    case "json":
      return `${JSON.stringify(result, null, 2)}\n`;
  }
}

// For people: the status, then each problem on a line.
function text({ status, summary, problems = [] }: HealthResult): string {
  return [`${status}: ${summary}`, ...problems.map((one) => `  ${problemWords(one)}`)]
    .map((line) => `${line}\n`)
    .join("");
}

// For Nagios and its kin: one line with the numbers behind a bar, then a line a problem.
function nagios({ status, summary, problems = [], perfdata = {} }: HealthResult): string {
  const numbers = Object.entries(perfdata).map(([name, value]) => `'${name}'=${value}${unitOf(name)}`);
  const head = `PDCTL ${status} - ${plain(summary)}${numbers.length === 0 ? "" : ` | ${numbers.join(" ")}`}`;
  return [head, ...problems.map((one) => plain(problemWords(one)))].map((line) => `${line}\n`).join("");
}

function problemWords({ status, subject, verdict, cause, forS, words }: HealthView["problems"][number]): string {
  return `${status} ${subject}: ${verdictText(verdict, cause)} for ${shownMs(forS * 1_000)}. ${words}`;
}

// A bar begins the numbers.
function plain(words: string): string {
  return words.replaceAll("|", "/").replaceAll("\n", " ");
}

// The units that such systems know: seconds, bytes, and what only counts up.
function unitOf(name: string): string {
  if (/_total$/.test(name)) return "c";
  if (/(_seconds|_s)$/.test(name)) return "s";
  return /_bytes$/.test(name) ? "B" : "";
}
