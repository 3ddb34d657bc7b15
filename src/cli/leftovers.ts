import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PdctlError } from "../contract/errors.ts";
import { type ActorLock, takeActorLock } from "../lib/actor-lock.ts";
import type { Places } from "../lib/places.ts";
import { isLiving, signalMembers } from "../lib/shim.ts";
import { until } from "../lib/wait.ts";
import { type HeldProcess, heldProcesses, withoutShim } from "./held-processes.ts";
import { knownProcess } from "./known-process.ts";

// An engine lets its open answers go on for 5 s; what it has not ended by then is ended.
const graceMs = 12_000;
const killLimitMs = 10_000;
// A watchdog or a daemon that comes in between ends what it does first.
const lockLimitMs = 30_000;
const lookEveryMs = 50;

export type Ending = { readonly now: boolean; readonly signal: AbortSignal };

/** What a fleet without a daemon has left: ended, proven gone, its files removed. Returns the names that were left. */
export async function endLeftovers(places: Places, ending: Ending): Promise<string[]> {
  const watchdog = await endWatchdog(places, ending);
  const left = heldProcesses(places);
  if (left.length === 0) {
    // A daemon that has started since then has files of its own there.
    if (knownProcess(places, "daemon") === undefined) removeFiles(places);
    return watchdog;
  }
  const lock = await takenLock(places, ending);
  try {
    // The router first: no new requests. All the others side by side.
    const isRouter = ({ name }: HeldProcess): boolean => name === "router";
    await endGroups(places, left.filter(isRouter), ending);
    await endGroups(places, heldProcesses(places), ending);
    checkGone(places);
    removeFiles(places);
  } finally {
    lock.release();
  }
  return [...watchdog, ...left.map(({ name }) => name)];
}

// First of all: it would start a daemon again.
async function endWatchdog(places: Places, { signal }: Ending): Promise<string[]> {
  const watchdog = knownProcess(places, "watchdog");
  if (watchdog === undefined) return [];
  await signalMembers([watchdog], "SIGKILL");
  const gone = (): true | undefined => (isLiving(watchdog) ? undefined : true);
  await until(gone, { everyMs: lookEveryMs, limitMs: killLimitMs, signal });
  return ["watchdog"];
}

async function takenLock(places: Places, { signal }: Ending): Promise<ActorLock> {
  const lock = await until(() => takeActorLock(places.lock), { everyMs: 500, limitMs: lockLimitMs, signal });
  if (lock !== undefined) return lock;
  const words = `Another process acts on the fleet: ${places.lock} is held.`;
  throw new PdctlError("stop-incomplete", words, "pdctl down again; pdctl status shows whether a daemon has come back");
}

async function endGroups(places: Places, groups: readonly HeldProcess[], { now, signal }: Ending): Promise<void> {
  const names = new Set(groups.map(({ name }) => name));
  const left = (): HeldProcess[] => heldProcesses(places).filter(({ name }) => names.has(name));
  const gone = (): true | undefined => (left().length === 0 ? true : undefined);
  if (!now) {
    // To the shims: they pass it on and see to the rest.
    await signalMembers(groups.flatMap(headOf), "SIGTERM");
    if ((await until(gone, { everyMs: lookEveryMs, limitMs: graceMs, signal })) === true) return;
  }
  await signalMembers(left().flatMap(withoutShim), "SIGKILL");
  if ((await until(gone, { everyMs: lookEveryMs, limitMs: killLimitMs, signal })) === true) return;
  await signalMembers(
    left().flatMap(({ living }) => living),
    "SIGKILL",
  );
  await until(gone, { everyMs: lookEveryMs, limitMs: killLimitMs, signal });
}

function headOf({ shim, living }: HeldProcess): HeldProcess["living"] {
  const head = living.filter(({ pid }) => pid === shim?.pid);
  return head.length > 0 ? head : living;
}

function checkGone(places: Places): void {
  const left = heldProcesses(places);
  if (left.length === 0) return;
  const names = left.map(({ name, living }) => `${name} (${living.map(({ pid }) => pid).join(", ")})`);
  throw new PdctlError(
    "stop-incomplete",
    `Processes are left after SIGKILL: ${names.join(", ")}.`,
    "they hang in the kernel: look at /proc/PID/stack, then pdctl down again",
  );
}

// Nobody of the fleet lives, so nobody reads or serves these.
function removeFiles({ run, socket }: Places): void {
  if (existsSync(run)) for (const name of readdirSync(run)) rmSync(join(run, name), { force: true });
  if (lstatSync(socket, { throwIfNoEntry: false })?.isSocket()) rmSync(socket, { force: true });
}
