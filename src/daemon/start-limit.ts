import { PdctlError } from "../contract/errors.ts";
import { limited } from "../lib/wait.ts";

/** Gives the whole start its time; a start that is late fails with a sentence instead of hanging. */
export async function startLimit<T>(
  timeoutMs: number,
  stop: AbortSignal,
  start: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = limited(timeoutMs, stop);
  try {
    return await start(signal);
  } catch (cause) {
    if (!signal.aborted || stop.aborted) throw cause;
    const seconds = Math.round(timeoutMs / 1_000);
    throw new PdctlError("timed-out", `The fleet was not up within ${seconds} s.`, "give it more time with --timeout", {
      cause,
    });
  }
}
