import { lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PdctlError } from "../contract/errors.ts";
import { lockName } from "../lib/name-lock.ts";
import { placeFault } from "../lib/place-fault.ts";
import type { Places } from "../lib/places.ts";
import { makePrivateFolder, secretOf, writeWhole } from "../lib/private-files.ts";
import { bootId, processStat } from "../lib/processes.ts";

/** What a daemon stands on: its folders, the secret, and the claim that it is the only one here. */
export type Ground = { readonly secret: string; readonly leave: () => void };

/** Makes the folders and claims the fleet. Throws where another daemon holds it. */
export async function takeGround(places: Places): Promise<Ground> {
  // Whatever this process and its children make is their owner's alone.
  process.umask(0o077);
  makeFolders(places);
  const locks = await claim([resolve(places.state), resolve(places.socket)]);
  const record = join(places.run, "daemon.json");
  try {
    removeStaleSocket(places.socket);
    removeEngineSockets(places.run);
    writeWhole(record, `${JSON.stringify({ ...ownIdentity(), bootId: bootId(), socket: places.socket })}\n`);
    const leave = (): void => {
      removeEngineSockets(places.run);
      rmSync(record, { force: true });
      for (const lock of locks) lock.release();
    };
    return { secret: secretOf(places.secret), leave };
  } catch (error) {
    for (const lock of locks) lock.release();
    throw placeFault(error) === undefined ? error : unusable(error);
  }
}

function makeFolders({ state, run, logs, socket }: Places): void {
  try {
    for (const folder of [state, run, logs]) makePrivateFolder(folder);
    checkSocketFolder(dirname(resolve(socket)));
  } catch (cause) {
    throw unusable(cause);
  }
}

function unusable(cause: unknown): PdctlError {
  const why = placeFault(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  const words = `The fleet has no folder to stand on: ${why}.`;
  return new PdctlError("place-invalid", words, "set PDCTL_HOME to a folder of your own", { cause });
}

// In a folder that others may write, they could put their own socket in the place of ours.
function checkSocketFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) makePrivateFolder(folder);
  const { mode, uid } = lstatSync(folder);
  if (uid !== process.getuid?.() && uid !== 0) throw new Error(`${folder} belongs to another user (uid ${uid})`);
  if ((mode & 0o022) !== 0) throw new Error(`${folder} may be written by others (mode ${(mode & 0o7777).toString(8)})`);
}

async function claim(names: readonly string[]): Promise<{ readonly release: () => void }[]> {
  const held: { readonly release: () => void }[] = [];
  for (const name of names) {
    const lock = await lockName(name);
    if (lock === undefined) {
      for (const other of held) other.release();
      throw new PdctlError(
        "fleet-exists",
        `Another pdctl daemon holds ${name}.`,
        "pdctl down ends it; another --fleet or --socket runs beside it",
      );
    }
    held.push(lock);
  }
  return held;
}

// The claim is ours, so whoever made the socket is gone.
function removeStaleSocket(socket: string): void {
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new PdctlError(
      "place-invalid",
      `${socket} is there and is not a socket.`,
      "move it away, or give another --socket",
    );
  }
  rmSync(socket);
}

// An engine takes its socket away when it ends; one that was killed could not.
function removeEngineSockets(run: string): void {
  for (const name of readdirSync(run)) if (name.endsWith(".sock")) rmSync(join(run, name), { force: true });
}

function ownIdentity(): { readonly pid: number; readonly startTicks: number } {
  return { pid: process.pid, startTicks: processStat(process.pid)?.startTicks ?? 0 };
}
