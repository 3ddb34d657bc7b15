import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

// Always as long, so that a write takes no new room: a full disk must not look like a daemon that hangs.
const length = 24;

/** The time of the latest finished tick or round, in a file that daemon and watchdog read of each other. */
export class Heartbeat {
  readonly #path: string;
  #file: number;

  constructor(path: string) {
    this.#path = path;
    this.#file = open(path);
  }

  beat(nowMs: number): void {
    if (fstatSync(this.#file).nlink === 0) {
      closeSync(this.#file);
      this.#file = open(this.#path);
    }
    writeSync(this.#file, `${nowMs.toFixed(3)}\n`.padStart(length), 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

// Not emptied: until the first beat the last one of the process before stands there, which is as long.
function open(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
}
