import { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import type { Places } from "../lib/places.ts";
import { signalProcess } from "../lib/process-group.ts";
import { runRecords } from "../lib/run-records.ts";
import { until } from "../lib/wait.ts";
import { livingDaemon } from "./daemon-record.ts";
import { endLeftovers } from "./leftovers.ts";

/** What stopping takes beyond the drain: each process has its grace, then SIGKILL, then the look that it is gone. */
const stopLimitMs = 90_000;
const lookEveryMs = 50;

export type EndWish = {
  readonly drainMs: number;
  readonly now: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

/** Ends a fleet and proves that nothing of it is left, also where its daemon is gone or does not answer. */
export async function endFleet(places: Places, wish: EndWish): Promise<void> {
  const { say, signal, now } = wish;
  const wasRecorded = runRecords(places.run).length > 0;
  const asked = await askToStop(places, wish);
  const daemon = livingDaemon(places);
  if (daemon !== undefined && !(await ended(places, asked ? wish.drainMs + stopLimitMs : 0, signal))) {
    if (asked && !now) {
      throw new PdctlError(
        "timed-out",
        `The daemon (process ${daemon.pid}) has not ended in time.`,
        "pdctl down --now",
      );
    }
    say(`daemon     process ${daemon.pid} does not answer: ended with SIGKILL`);
    signalProcess(daemon, "SIGKILL");
    await ended(places, stopLimitMs, signal);
  }
  const killed = await endLeftovers(places, { now, signal });
  for (const name of killed) say(`${name.padEnd(10)} was left over: ended with SIGKILL`);
  const found = asked || wasRecorded || daemon !== undefined;
  say(
    found
      ? `fleet      ${places.fleet} has ended; no process of it is left`
      : `fleet      ${places.fleet} does not run`,
  );
}

// False where nobody listens or answers: then only the records tell what is there.
async function askToStop(places: Places, { drainMs, now, signal }: EndWish): Promise<boolean> {
  try {
    await new DaemonClient(places.socket).stop({ drainMs, now }, signal);
    return true;
  } catch (error) {
    if (error instanceof PdctlError && (error.code === "fleet-not-running" || error.code === "timed-out")) return false;
    throw error;
  }
}

async function ended(places: Places, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const gone = (): true | undefined => (livingDaemon(places) === undefined ? true : undefined);
  return (await until(gone, { everyMs: lookEveryMs, limitMs, signal })) === true;
}
