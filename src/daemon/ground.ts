import { lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { PdctlError } from "../contract/errors.ts";
import { type ActorLock, takeActorLock } from "../lib/actor-lock.ts";
import { asked } from "../lib/asked.ts";
import { askJson } from "../lib/http-json.ts";
import { jsonIn } from "../lib/json-in.ts";
import { placeFault } from "../lib/place-fault.ts";
import type { Places } from "../lib/places.ts";
import { makePrivateFolder, secretOf } from "../lib/private-files.ts";
import { bootId, processStat } from "../lib/processes.ts";
import { limited } from "../lib/wait.ts";
import { writeEvenWhenFull } from "../lib/write-even-when-full.ts";

/** What a daemon stands on: its folders, the secret, and the right to act. */
export type Ground = {
  readonly secret: string;
  readonly lock: ActorLock;
  /** By which others find this daemon. */
  readonly record: { readonly path: string; readonly content: string };
  /** Nothing of the fleet is left: takes away the record of this daemon, and what engines that were killed could not. */
  readonly forget: () => void;
  readonly leave: () => void;
};

const askLimitMs = 2_000;

/** Makes the folders and takes the fleet over. Throws where another process holds it, or another fleet the socket. */
export async function takeGround(places: Places): Promise<Ground> {
  // Whatever this process and its children make is their owner's alone.
  process.umask(0o077);
  makeFolders(places);
  const lock = takeActorLock(places.lock);
  if (lock === undefined) {
    throw new PdctlError(
      "fleet-exists",
      `Another process acts for fleet ${places.fleet}: it holds ${places.lock}.`,
      "pdctl status shows it, pdctl down ends it; another --fleet runs beside it",
    );
  }
  const record = join(places.run, "daemon.json");
  try {
    await checkSocket(places, record);
    const content = `${JSON.stringify({ ...ownIdentity(), bootId: bootId(), socket: places.socket })}\n`;
    writeEvenWhenFull(record, content);
    return {
      secret: secretOf(places.secret),
      lock,
      record: { path: record, content },
      forget: () => {
        removeEngineSockets(places.run);
        rmSync(record, { force: true });
      },
      leave: () => lock.release(),
    };
  } catch (error) {
    lock.release();
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

// A socket that the daemon before this one left is replaced; one that another fleet serves is not.
async function checkSocket({ socket, fleet }: Places, record: string): Promise<void> {
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    const words = `${socket} is there and is not a socket.`;
    throw new PdctlError("place-invalid", words, "move it away, or give another --socket");
  }
  // The daemon before this one may hang, and would not answer: its own record says whose socket it is.
  if (z.object({ socket: z.literal(socket) }).safeParse(jsonIn(record)).success) return;
  const answer = await asked(async () => await askJson({ socket, path: "/v1/fleet" }, { signal: limited(askLimitMs) }));
  if (answer.kind === "unanswered" || isOf(fleet, answer.value.body)) return;
  throw new PdctlError("fleet-exists", `Another fleet serves on ${socket}.`, "give another --socket");
}

// An engine takes its socket away when it ends; one that was killed could not.
function removeEngineSockets(run: string): void {
  for (const name of readdirSync(run)) if (name.endsWith(".sock")) rmSync(join(run, name), { force: true });
}

function isOf(fleet: string, body: unknown): boolean {
  return z.object({ fleet: z.literal(fleet) }).safeParse(body).success;
}

function ownIdentity(): { readonly pid: number; readonly startTicks: number } {
  return { pid: process.pid, startTicks: processStat(process.pid)?.startTicks ?? 0 };
}
