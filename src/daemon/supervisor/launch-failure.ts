import { readPage } from "../../contract/error-page.ts";
import { PdctlError } from "../../contract/errors.ts";
import { lastLines } from "../../lib/file-tail.ts";
import { type Exit, exitWords } from "./child.ts";

/** Why a process did not become ready, in the words that it left in its log. */
export function launchFailure(name: string, exit: Exit, logFile: string): PdctlError {
  const lines = lastLines(logFile, { linesMax: 40, bytesMax: 16_384 });
  const page = readPage(lines);
  if (page !== undefined) return new PdctlError(page.code, `${name} did not start: ${page.message}`, page.tryThis);
  const tail = lines.slice(-8).map((line) => `\n  | ${line}`);
  const said = tail.length === 0 ? " It wrote nothing." : ` Its last words:${tail.join("")}`;
  const words = `${name} ended with ${exitWords(exit)} while it was starting.${said}`;
  return new PdctlError("engine-start-failed", words, `read ${logFile}`);
}
