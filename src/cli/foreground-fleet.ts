import { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { SavedFleet } from "../contract/saved-fleet.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Places, Surroundings } from "../lib/places.ts";
import { type MeantFleet, readyToStart } from "./prepare-fleet.ts";
import { urlOf } from "./running-fleet.ts";
import { saveFleet } from "./saved-fleet-file.ts";
import { joined, turnToStart } from "./start-fleet.ts";
import type { StopSignals } from "./stop-signals.ts";

/** The door of daemon/main.ts. */
export type RunDaemon = (options: {
  readonly places: Places;
  readonly saved: SavedFleet;
  readonly clock: Clock;
  readonly signals: { readonly stop: AbortSignal; readonly now: AbortSignal };
  readonly onStop: "leave" | "down";
  readonly say: (line: string) => void;
  readonly onUp: (url: string) => void;
}) => Promise<void>;

export type Foreground = {
  readonly limitMs: number;
  readonly signals: StopSignals;
  readonly say: (line: string) => void;
  readonly onUp: (url: string) => void;
  readonly runDaemon: RunDaemon;
};

/** Runs a fleet whose daemon is this process, until it is asked to end; one that runs already is only shown. */
export async function foregroundFleet(meant: MeantFleet, around: Surroundings, options: Foreground): Promise<void> {
  const { limitMs, signals, say, onUp, runDaemon } = options;
  const starting = { limitMs, say, signal: signals.stop };
  const client = new DaemonClient(meant.places.socket);
  const turn = await turnToStart(meant, client, starting);
  if (turn.kind === "runs") {
    onUp(urlOf(await joined(client, turn.view, starting)));
    return;
  }
  const saved = await preparedFleet(meant, around, starting).finally(() => turn.lock.release());
  await runDaemon({ places: meant.places, saved, clock: systemClock, signals, onStop: "down", say, onUp });
  if (signals.wasInterrupted()) throw new PdctlError("interrupted", "Interrupted.", "");
}

/** Everything that has to be right before a daemon starts, written down for it. */
export async function preparedFleet(
  meant: MeantFleet,
  around: Surroundings,
  starting: { readonly limitMs: number; readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<SavedFleet> {
  const modelOf = await readyToStart(meant, around, starting);
  return saveFleet(meant, { modelOf, timeoutMs: starting.limitMs });
}
