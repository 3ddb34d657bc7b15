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
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
