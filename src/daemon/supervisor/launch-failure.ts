import { readPage } from "../../contract/error-page.ts";
import { PdctlError } from "../../contract/errors.ts";
import type { RunRecord } from "../../contract/run-record.ts";
import { lastLines } from "../../lib/file-tail.ts";

export type Exit = NonNullable<RunRecord["exit"]>;

/** What one run has written: its log from that byte on. */
export type LogPart = { readonly logFile: string; readonly from: number };

/** How a process ended, in words. */
export function exitWords({ code, signal, words }: Exit): string {
  if (signal !== undefined) return `signal ${signal}`;
  if (code !== undefined) return `exit code ${code}`;
  return words ?? "no word of how";
}

/** Why a process did not become ready, in the words that it left in its log. */
export function launchFailure(name: string, exit: Exit, { logFile, from }: LogPart): PdctlError {
  if (exit.code === undefined && exit.signal === undefined && exit.words !== undefined) {
    return new PdctlError(
      "system",
      `${name} cannot be started: ${exit.words}.`,
      "look at the program's path and rights",
    );
  }
  const lines = wordsIn({ logFile, from });
  const page = readPage(lines);
  if (page !== undefined) return new PdctlError(page.code, `${name} did not start: ${page.message}`, page.tryThis);
  const tail = lines.slice(-8).map((line) => `\n  | ${line}`);
  const said = tail.length === 0 ? " It wrote nothing." : ` Its last words:${tail.join("")}`;
  const words = `${name} ended with ${exitWords(exit)} while it was starting.${said}`;
  return new PdctlError("engine-start-failed", words, `read ${logFile}`);
}

function wordsIn({ logFile, from }: LogPart): string[] {
  try {
    return lastLines(logFile, { linesMax: 40, bytesMax: 16_384, from });
  } catch (error) {
    // The shim makes the file; where even that failed there are no words.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
