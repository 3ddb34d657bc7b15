import { existsSync } from "node:fs";
import { DaemonClient } from "../client/daemon-client.ts";
import { PdctlError } from "../contract/errors.ts";
import { systemClock } from "../lib/clock.ts";
import type { Places } from "../lib/places.ts";
import type { ProcessIdentity } from "../lib/processes.ts";
import { isLiving, signalMembers } from "../lib/shim.ts";
import { until } from "../lib/wait.ts";
import { everyone } from "./held-processes.ts";
import { writeIntent } from "./intent-file.ts";
import { knownProcess } from "./known-process.ts";
import { endLeftovers } from "./leftovers.ts";
import { tellSteps } from "./tell-steps.ts";

/** What stopping takes beyond the drain: each process has its grace, then SIGKILL, then the look that it is gone. */
const stopLimitMs = 90_000;
const lastLimitMs = 15_000;
// A daemon looks at everything that runs before it listens, and makes its socket again within 5 s.
const listenLimitMs = 15_000;
const lookEveryMs = 50;

export type EndWish = {
  readonly drainMs: number;
  readonly now: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

/** Ends a fleet and proves that nothing of it is left, also where its daemon is gone or does not answer. */
export async function endFleet(places: Places, wish: EndWish): Promise<void> {
  const { say, now } = wish;
  // One that ends takes its record away before it is gone.
  const daemon = knownProcess(places, "daemon");
  const known = everyone(places);
  const asked = await askToStop(places, daemon, wish);
  await endDaemon(places, { ...wish, limitMs: asked ? wish.drainMs + stopLimitMs : 0, patient: asked && !now });
  // Nobody shall start it again: not the watchdog, not a daemon that is started meanwhile.
  if (!asked && existsSync(places.intent)) writeIntent(places, "down");
  const killed = await endLeftovers(places, wish);
  for (const name of killed) say(`${name.padEnd(10)} was left over: ended`);
  await proveGone(known, wish.signal);
  say(
    asked || known.length > 0
      ? `fleet      ${places.fleet} has ended; no process of it is left`
      : `fleet      ${places.fleet} does not run`,
  );
}

// Shims and the watchdog end a moment after what they were there for.
async function proveGone(known: readonly ProcessIdentity[], signal: AbortSignal): Promise<void> {
  const left = (): ProcessIdentity[] => known.filter(isLiving);
  const gone = (): true | undefined => (left().length === 0 ? true : undefined);
  if ((await until(gone, { everyMs: lookEveryMs, limitMs: lastLimitMs, signal })) === true) return;
  const pids = left().map(({ pid }) => pid);
  const words = `Processes of the fleet are left: ${pids.join(", ")}.`;
  throw new PdctlError("stop-incomplete", words, "pdctl down again; look at /proc/PID/stack where they do not end");
}

// False where nobody listens or answers: then only the records tell what is there.
async function askToStop(places: Places, daemon: Daemon, { drainMs, now, signal, say }: EndWish): Promise<boolean> {
  const client = new DaemonClient(places.socket);
  const beganMs = systemClock.nowMs();
  const ask = async (): Promise<boolean | undefined> => {
    try {
      await client.stop({ drainMs, now }, signal);
      return true;
    } catch (error) {
      const code = error instanceof PdctlError ? error.code : undefined;
      if (code !== "fleet-not-running" && code !== "timed-out") throw error;
      // One that has just been started takes over what runs before it listens: killed now, nobody would drain.
      const isStarting = code === "fleet-not-running" && daemon !== undefined && isLiving(daemon);
      return isStarting && !now ? undefined : false;
    }
  };
  if ((await until(ask, { everyMs: lookEveryMs, limitMs: listenLimitMs, signal })) !== true) return false;
  const over = new AbortController();
  const told = tellSteps(client, { sinceMs: beganMs, say, signal: AbortSignal.any([signal, over.signal]) });
  const gone = ended(places, daemon, { limitMs: drainMs + stopLimitMs, signal });
  await gone.finally(() => over.abort());
  await told;
  return true;
}

type Daemon = ReturnType<typeof knownProcess>;

// A daemon that does not end by itself: who asked for patience is told, else it ends without being asked.
async function endDaemon(
  places: Places,
  { limitMs, patient, signal, say }: EndWish & { readonly limitMs: number; readonly patient: boolean },
): Promise<void> {
  const daemon = knownProcess(places, "daemon");
  if (daemon === undefined || (await ended(places, daemon, { limitMs, signal }))) return;
  if (patient) {
    const words = `The daemon (process ${daemon.pid}) has not ended in time.`;
    throw new PdctlError("timed-out", words, "pdctl down --now");
  }
  say(`daemon     process ${daemon.pid} does not answer: ended with SIGKILL`);
  await signalMembers([daemon], "SIGKILL");
  await ended(places, daemon, { limitMs: stopLimitMs, signal });
}

async function ended(
  places: Places,
  daemon: Daemon,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const gone = (): true | undefined => {
    const isThere = knownProcess(places, "daemon") !== undefined || (daemon !== undefined && isLiving(daemon));
    return isThere ? undefined : true;
  };
  return (await until(gone, { everyMs: lookEveryMs, limitMs, signal })) === true;
}
