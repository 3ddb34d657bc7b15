import { stderr, stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import { PdctlError } from "../contract/errors.ts";
import { shellWords } from "./shell-words.ts";

export type Question = {
  /** What will happen, one sentence. */
  readonly what: string;
  /** The same as a command line that asks nothing. */
  readonly sameAs: readonly string[];
  readonly yes: boolean;
  readonly signal: AbortSignal;
};

/** Whether the person at the terminal wants it. Without a terminal only --yes says so. */
export async function confirm({ what, sameAs, yes, signal }: Question): Promise<boolean> {
  if (yes) return true;
  if (!stdin.isTTY || !stderr.isTTY) {
    const words = `${what} Without a terminal nobody can be asked.`;
    throw new PdctlError("confirmation-needed", words, shellWords(sameAs));
  }
  stderr.write(`${what}\nWithout asking: ${shellWords(sameAs)}\n`);
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question("Go on? [y/N] ", { signal });
    const isWanted = /^y(es)?$/i.test(answer.trim());
    if (!isWanted) stderr.write("Nothing was done.\n");
    return isWanted;
  } catch (cause) {
    // Ctrl-C and Ctrl-D reach it as keys, not as a signal.
    throw isAbort(cause) ? new PdctlError("interrupted", "Interrupted.", "", { cause }) : cause;
  } finally {
    terminal.close();
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || ("code" in error && error.code === "ABORT_ERR"));
}
