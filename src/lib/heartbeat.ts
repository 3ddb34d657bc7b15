import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { namedAfter } from "./place-fault.ts";

// Always as long, so that a write takes no new room: a full disk must not look like a daemon that hangs.
const length = 24;

/** The time of the latest finished tick or round, in a file that daemon and watchdog read of each other. */
export class Heartbeat {
  readonly #path: string;
  #file: number;

  /** Throws, with the path, where there is no room for it. */
  constructor(path: string) {
    this.#path = path;
    this.#file = open(path);
  }

  /** A disk that has no room for a file that somebody took away is for the reader to tell: who beats goes on. */
  beat(nowMs: number): void {
    try {
      if (fstatSync(this.#file).nlink === 0) this.#openAgain();
      writeSync(this.#file, `${nowMs.toFixed(3)}\n`.padStart(length), 0);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #openAgain(): void {
    const before = this.#file;
    this.#file = open(this.#path);
    closeSync(before);
  }
}

// Not emptied: until the first beat the last one of the process before stands there, which is as long.
function open(path: string): number {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    if (fstatSync(file).size < length) writeSync(file, "\n".padStart(length), 0);
    return file;
  } catch (error) {
    closeSync(file);
    throw namedAfter(path, error);
  }
}
