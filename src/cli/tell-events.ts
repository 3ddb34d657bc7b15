import type { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetEvent } from "../contract/events.ts";

export type Telling = {
  readonly wanted: (event: FleetEvent) => boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
};

/** Says events as they come, until the signal aborts. It is talk: what is done goes on without it. */
export async function tellEvents(client: DaemonClient, { wanted, say, signal }: Telling): Promise<void> {
  try {
    for await (const event of client.events("1m", signal)) if (wanted(event)) say(progressLine(event));
  } catch (error) {
    if (!(error instanceof PdctlError)) throw error;
  }
}

/** "prefill    ready at http://127.0.0.1:8001". */
export function progressLine({ subject, words }: Pick<FleetEvent, "subject" | "words">): string {
  return `${subject.replace(/^engine /, "").padEnd(10)} ${words}`;
}
