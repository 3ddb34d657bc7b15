import { type ErrorCode, errorList, PdctlError } from "../../contract/errors.ts";
import { lastLines } from "../../lib/file-tail.ts";
import { type Exit, exitWords } from "./child.ts";

/** Why a process did not become ready, in the words that it left in its log. */
export function launchFailure(name: string, exit: Exit, logFile: string): PdctlError {
  const lines = lastLines(logFile, { linesMax: 40, bytesMax: 16_384 });
  const page = pageIn(lines);
  if (page === undefined) {
    const tail = lines.slice(-8).map((line) => `\n  | ${line}`);
    const said = tail.length === 0 ? " It wrote nothing." : ` Its last words:${tail.join("")}`;
    return new PdctlError(
      "engine-start-failed",
      `${name} ended with ${exitWords(exit)} while it was starting.${said}`,
      `read ${logFile}`,
    );
  }
  return new PdctlError(page.code, `${name} did not start: ${page.sentence}`, page.tryThis);
}

type Page = { readonly code: ErrorCode; readonly sentence: string; readonly tryThis: string };

// Our own engine and router end with the page that every command prints: sentence, hint, code.
function pageIn(lines: readonly string[]): Page | undefined {
  const start = lines.findLastIndex((line) => line.startsWith("Error: "));
  if (start < 0) return undefined;
  const page = lines.slice(start);
  const code = page.map((line) => /^ {2}\(([a-z-]+)\)$/.exec(line)?.[1]).find((found) => found !== undefined);
  if (code === undefined || !isErrorCode(code)) return undefined;
  const hint = page.findIndex((line) => line.startsWith("  Try: "));
  const end = hint < 0 ? page.indexOf(`  (${code})`) : hint;
  return {
    code,
    sentence: page.slice(0, end).join("\n").slice("Error: ".length),
    tryThis: hint < 0 ? "" : (page[hint] ?? "").slice("  Try: ".length),
  };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorList, code);
}
