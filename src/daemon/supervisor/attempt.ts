import { pageOf } from "../../contract/error-page.ts";
import { PdctlError } from "../../contract/errors.ts";
import { placeFault } from "../../lib/place-fault.ts";
import { lookAgain } from "./look-again.ts";
import type { Operation, OperationParts, Result } from "./operation.ts";
import { perform } from "./perform.ts";
import { startedNothing } from "./started-nothing.ts";

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
    const isStart = action.action === "start" || action.action === "restart";
    const vain = isStart && startedNothing(error, parts.places.state) ? { startedNothing: true } : {};
    return { outcome: "failed", words: wordsOf(error), ...vain, details };
  }
}

export function wordsOf(error: unknown): string {
  return placeFault(error) ?? (error instanceof Error ? error.message : String(error));
}
