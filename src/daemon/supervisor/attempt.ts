import { pageOf } from "../../contract/error-page.ts";
import { PdctlError } from "../../contract/errors.ts";
import { lookAgain } from "./look-again.ts";
import type { Operation, OperationParts, Result } from "./operation.ts";
import { perform } from "./perform.ts";

/** Looks once more, performs the action, and says how it ended; what does not work is a result, too. */
export async function attempt(parts: OperationParts, operation: Operation): Promise<Result> {
  const { action, earlier, signal } = operation;
  try {
    signal.throwIfAborted();
    // What is gone on with has changed the world already: its steps look for themselves.
    const stale = earlier.length > 0 ? undefined : await lookAgain(parts, action, signal);
    if (stale !== undefined) return { outcome: "stale", words: stale };
    return await perform(parts, operation);
  } catch (error) {
    parts.log.warn({ action: action.id, error: wordsOf(error) }, `${action.action} ${action.target} failed`);
    const details = error instanceof PdctlError ? pageOf(error).trimEnd().split("\n") : [];
    return { outcome: "failed", words: wordsOf(error), details };
  }
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
