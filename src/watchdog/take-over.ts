import type { Identity } from "../contract/run-record.ts";
import { type ActorLock, replaceActorLock, takeActorLock } from "../lib/actor-lock.ts";
import type { Places } from "../lib/places.ts";
import { isLiving, signalMembers } from "../lib/shim.ts";
import { until } from "../lib/wait.ts";

// A killed process lets go of its lock as soon as the kernel has taken it down.
const letGoMs = 5_000;

export type TakeOver = {
  /** The one that is to end, where one lives. */
  readonly daemon: Identity | undefined;
  readonly kill: boolean;
  readonly signal: AbortSignal;
};

/**
 * Ends the daemon, if it is there, and takes the lock. `kill` is false in tests only: then the daemon has to
 * find out by itself that the lock is another's. Undefined where somebody else holds it: a daemon that starts.
 */
export async function takeOver(places: Places, { daemon, kill, signal }: TakeOver): Promise<ActorLock | undefined> {
  if (kill && daemon !== undefined) await signalMembers([daemon], "SIGKILL");
  const limitMs = kill ? letGoMs : 0;
  const lock = await until(() => takeActorLock(places.lock), { everyMs: 100, limitMs, signal });
  if (lock !== undefined) return lock;
  // Held by the daemon that was to end, though it was told so: it sleeps in the kernel, or the kill was left out.
  return daemon === undefined || !isLiving(daemon) ? undefined : replaceActorLock(places.lock);
}
