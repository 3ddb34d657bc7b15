import { pageOf } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";

/** What people read when a command fails. Only our own mistakes show where they happened. */
export function errorPage(error: unknown): string {
  if (error instanceof PdctlError) return error.code === "interrupted" ? "" : pageOf(error);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Error: this is a mistake in pdctl, not in what you did.\n${stack}\n`;
}
