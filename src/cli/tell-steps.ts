import type { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetEvent } from "../contract/events.ts";

export type Telling = {
  /** Milliseconds on the monotonic clock: what was before is of no interest. */
  readonly sinceMs: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
};

/** Says what is done and what becomes of it, until the signal aborts. It is talk: the work goes on without it. */
export async function tellSteps(client: DaemonClient, { sinceMs, say, signal }: Telling): Promise<void> {
  try {
    for await (const event of client.events("1m", signal)) {
      if (event.atMs >= sinceMs && (event.kind === "state" || event.kind === "step")) say(progressLine(event));
    }
  } catch (error) {
    if (!(error instanceof PdctlError)) throw error;
  }
}

// "prefill    ready at http://127.0.0.1:8001"
function progressLine({ subject, words }: Pick<FleetEvent, "subject" | "words">): string {
  return `${subject.replace(/^engine /, "").padEnd(10)} ${words}`;
}
