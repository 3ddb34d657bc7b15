import { PdctlError } from "../../contract/errors.ts";
import { type Observation, observationSchema } from "../../contract/observation.ts";
import { type Json, parseExactJson } from "../../lib/exact-json.ts";

export type Line = { readonly number: number; readonly value: Json };

// A sample of a fleet that is full has some hundred kilobytes; a day at one second has a million lines of ten engines.
export const lineCharsMax = 8 * 1024 * 1024;
const linesMax = 20_000_000;

/** Lines of a recording as JSON with their numbers; empty ones are passed over. */
export async function* numberedLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number > linesMax) throw invalid(number, `a recording has at most ${linesMax} lines`, "cut it into parts");
    if (text.length > lineCharsMax) throw invalid(number, `it is longer than ${lineCharsMax} characters`);
    if (text.trim() === "") continue;
    const parsed = parseExactJson(text);
    if (parsed.kind === "wrong") throw invalid(number, `it is not JSON: ${parsed.words}`);
    yield { number, value: parsed.value };
  }
}

/** The line as an Observation, not before the one before it. */
export function observationOf({ number, value }: Line, afterS: number | undefined): Observation {
  const parsed = observationSchema.safeParse(value);
  if (!parsed.success) throw invalid(number, issueWords(parsed.error.issues, value));
  const { t } = parsed.data;
  if (!Number.isFinite(t)) throw invalid(number, "t must be a number of seconds");
  if (afterS !== undefined && t < afterS) {
    throw invalid(number, `t is ${t} after a line with t ${afterS}: lines stand in order of time`);
  }
  return parsed.data;
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** What is wrong with a line, in words: the field, and what was expected of it. */
export function issueWords(issues: readonly Issue[], value: Json): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "an object was expected";
  const [first] = issues;
  if (first === undefined) return "it is not a line of a recording";
  if (first.path[0] === "kind") {
    return "kind must be sample, edge, scrape, exit, log, canary or clock; only the first line is fleet";
  }
  return `${first.path.map(String).join(".") || "the line"}: ${first.message}`;
}

export function invalid(number: number, words: string, tryThis = "pdctl record FILE makes one"): PdctlError {
  return new PdctlError("recording-invalid", `line ${number}: ${words}.`, tryThis);
}
