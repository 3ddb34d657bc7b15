import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { shimPath } from "./shim.ts";

/** The right to signal, spawn and abort. It ends with this process at the latest, however that ends. */
export type ActorLock = {
  /** False once another file stands at the path: someone has taken over. */
  readonly stillHeld: () => boolean;
  readonly release: () => void;
};

// It only asks the kernel; a loaded machine gets many times what that takes.
const lockLimitMs = 10_000;
// Each further try means that someone replaced the file at that very moment.
const triesMax = 5;

/** Undefined where another process holds it. Throws where the file cannot be opened. */
export function takeActorLock(path: string): ActorLock | undefined {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    if (!lockFile(file)) {
      closeSync(file);
      return undefined;
    }
    if (isAt(path, file)) return lockOf(path, file);
    closeSync(file);
  }
  return undefined;
}

/**
 * Takes the lock from a holder that does not let go: a new file, locked before it stands at the path. The old holder
 * finds out by `stillHeld` before it acts the next time.
 */
export function replaceActorLock(path: string): ActorLock {
  const partial = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = openSync(partial, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    if (!lockFile(file)) throw new Error(`${partial} is new, and was locked by another process`);
    renameSync(partial, path);
  } catch (error) {
    closeSync(file);
    rmSync(partial, { force: true });
    throw error;
  }
  return lockOf(path, file);
}

function lockOf(path: string, file: number): ActorLock {
  let open = true;
  return {
    stillHeld: () => open && isAt(path, file),
    release: () => {
      if (open) closeSync(file);
      open = false;
    },
  };
}

// A lock belongs to the open file that both processes share, so it stays when the shim has ended.
function lockFile(file: number): boolean {
  const { status, error, stderr } = spawnSync(shimPath(), ["lock"], {
    stdio: ["ignore", "ignore", "pipe", file],
    encoding: "utf8",
    timeout: lockLimitMs,
    killSignal: "SIGKILL",
  });
  if (error !== undefined) throw new Error(`${shimPath()} cannot be run: ${error.message}`, { cause: error });
  if (status === 0 || status === 1) return status === 0;
  throw new Error(`the lock could not be asked for: ${stderr.trim()}`);
}

function isAt(path: string, file: number): boolean {
  const ours = fstatSync(file);
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.ino === ours.ino && found.dev === ours.dev;
}
