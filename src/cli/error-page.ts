import { PdctlError } from "../contract/errors.ts";

/** What people read when a command fails. Only our own mistakes show where they happened. */
export function errorPage(error: unknown): string {
  if (error instanceof PdctlError) {
    if (error.code === "interrupted") return "";
    return lines([`Error: ${error.message}`, error.tryThis && `  Try: ${error.tryThis}`, `  (${error.code})`]);
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return lines(["Error: this is a mistake in pdctl, not in what you did.", stack]);
}

function lines(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}
