import { type ErrorCode, errorList, PdctlError } from "./errors.ts";

/** What people read when a command fails: the sentence, what to try, the code. */
export function pageOf({ message, tryThis, code }: PdctlError): string {
  const hint = tryThis === "" ? [] : [`  Try: ${tryThis}`];
  return `${[`Error: ${message}`, ...hint, `  (${code})`].join("\n")}\n`;
}

/** The error whose page a process left as its last words; undefined where there is none. */
export function readPage(lines: readonly string[]): PdctlError | undefined {
  const page = lines.slice(lines.findLastIndex((line) => line.startsWith("Error: ")));
  const code = page.map((line) => /^ {2}\(([a-z-]+)\)$/.exec(line)?.[1]).find((found) => found !== undefined);
  if (!page[0]?.startsWith("Error: ") || code === undefined || !isErrorCode(code)) return undefined;
  const end = page.indexOf(`  (${code})`);
  const hint = page.findIndex((line) => line.startsWith("  Try: "));
  const sentence = page
    .slice(0, hint < 0 ? end : hint)
    .join("\n")
    .slice("Error: ".length);
  const tryThis = hint < 0 ? "" : page.slice(hint, end).join("\n").slice("  Try: ".length);
  return new PdctlError(code, sentence, tryThis);
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorList, code);
}
