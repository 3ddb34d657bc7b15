import { PdctlError } from "../contract/errors.ts";

/** How a long-running command is asked to end. */
export type StopSignals = {
  /** First Ctrl-C, SIGTERM, or the end of the lifeline. */
  readonly stop: AbortSignal;
  /** The second time: at once. */
  readonly now: AbortSignal;
  /** Whether Ctrl-C was it, which the exit code tells. */
  readonly wasInterrupted: () => boolean;
};

/** Hears the signals of this process; with `lifeline` also that whoever holds stdin is gone. */
export function stopSignals({ lifeline }: { readonly lifeline: boolean }): StopSignals {
  const stop = new AbortController();
  const now = new AbortController();
  let interrupted = false;
  const hear = (): void => (stop.signal.aborted ? now : stop).abort(new PdctlError("interrupted", "Interrupted.", ""));
  process.on("SIGINT", () => {
    interrupted = true;
    hear();
  });
  process.on("SIGTERM", hear);
  if (lifeline) {
    const gone = (): void => stop.abort();
    process.stdin.on("end", gone).on("close", gone).on("error", gone).resume();
    // Listening alone does not keep this process: whoever ends the fleet in another way ends it, too.
    if ("unref" in process.stdin) process.stdin.unref();
  }
  return { stop: stop.signal, now: now.signal, wasInterrupted: () => interrupted };
}
