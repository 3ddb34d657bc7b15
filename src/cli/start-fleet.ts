import { resolve } from "node:path";
import { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetView } from "../contract/fleet.ts";
import { lockName, type NameLock } from "../lib/name-lock.ts";
import type { Surroundings } from "../lib/places.ts";
import { limited, until } from "../lib/wait.ts";
import { DaemonProcess } from "./daemon-process.ts";
import { endFleet } from "./end-fleet.ts";
import { knownProcess } from "./known-process.ts";
import { otherConfigWords } from "./other-config.ts";
import { type MeantFleet, readyToStart } from "./prepare-fleet.ts";
import { awaitUp, runningFleet, urlOf } from "./running-fleet.ts";
import { saveFleet } from "./saved-fleet-file.ts";

export type Starting = {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

/** A fleet that serves; `isOwn` where this command has started it. */
export type Started = { readonly view: FleetView; readonly client: DaemonClient; readonly isOwn: boolean };

const lookEveryMs = 150;
// More than every grace of a stop together; nothing is open any more.
const undoLimitMs = 120_000;

/** The fleet that runs already, once it serves, else one that is started in the background. */
export async function startFleet(
  meant: MeantFleet,
  around: Surroundings,
  { lifeline, ...starting }: Starting & { readonly lifeline: boolean },
): Promise<Started> {
  const { places } = meant;
  const client = new DaemonClient(places.socket);
  const turn = await turnToStart(meant, client, starting);
  if (turn.kind === "runs") {
    const otherwise = otherConfigWords(meant);
    if (otherwise !== undefined) starting.say(otherwise);
    return { view: await joined(client, turn.view, starting), client, isOwn: false };
  }
  try {
    const { limitMs, signal } = starting;
    const modelOf = await readyToStart(meant, around, starting);
    saveFleet(meant, { modelOf, timeoutMs: limitMs });
    const daemon = new DaemonProcess(places, { lifeline });
    try {
      const stillHopeful = (): void => {
        // Another one came first: it is that one's fleet.
        if (daemon.hasEnded && !(isTaken(daemon.failure()) && knownProcess(places, "daemon"))) throw daemon.failure();
      };
      const view = await awaitUp(client, { ...starting, places, stillHopeful });
      urlOf(view);
      return { view, client, isOwn: true };
    } catch (error) {
      if (!isTaken(error)) {
        if (signal.aborted) starting.say(`fleet      ${places.fleet} was not up yet: what had begun is ended again`);
        await undo(meant, signal.aborted);
      }
      throw error;
    } finally {
      daemon.letGo();
    }
  } finally {
    turn.lock.release();
  }
}

/** Whose turn it is to start a fleet: nobody's while it runs, and one command's at a time. */
export async function turnToStart(
  { places }: MeantFleet,
  client: DaemonClient,
  { limitMs, signal, say }: Starting,
): Promise<{ kind: "runs"; view: FleetView } | { kind: "mine"; lock: NameLock }> {
  const name = `up ${resolve(places.state)}`;
  let waits = false;
  const turn = await until(
    async () => {
      const view = await runningFleet(client, signal);
      if (view !== undefined) return { kind: "runs" as const, view };
      const lock = await lockName(name);
      if (lock !== undefined) return { kind: "mine" as const, lock };
      if (!waits) say(`fleet      ${places.fleet} is being started by another pdctl`);
      waits = true;
      return undefined;
    },
    { everyMs: lookEveryMs, limitMs, signal },
  );
  if (turn !== undefined) return turn;
  throw new PdctlError(
    "timed-out",
    `Another pdctl has been starting the fleet for ${limitMs / 1_000} s.`,
    "pdctl status",
  );
}

/** Waits until a fleet that somebody else has started serves. */
export async function joined(client: DaemonClient, view: FleetView, starting: Starting): Promise<FleetView> {
  starting.say(`fleet      ${view.fleet} is ${view.state} already, under process ${view.daemon.pid}`);
  if (view.state === "stopping" || view.state === "failed") urlOf(view);
  const up = await awaitUp(client, { ...starting, stillHopeful: () => undefined });
  urlOf(up);
  return up;
}

// Nobody wants half a fleet: what was begun here ends here.
async function undo({ places }: MeantFleet, now: boolean): Promise<void> {
  await endFleet(places, { drainMs: 0, now, signal: limited(undoLimitMs), say: () => undefined });
}

function isTaken(error: unknown): boolean {
  return error instanceof PdctlError && (error.code === "fleet-exists" || error.code === "lock-lost");
}
