import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { readPage } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";
import type { Places } from "../lib/places.ts";
import { makePrivateFolder } from "../lib/private-files.ts";
import { placeError } from "./place-error.ts";
import { ownProgram } from "./self.ts";

// What daemons say outside their log; a handful of lines each.
const talkBytesMax = 1024 * 1024;
const lastBytes = 16 * 1024;
const linesShown = 8;

/** A daemon that this command has started, in a session of its own. Its talk goes to logs/daemon.out. */
export class DaemonProcess {
  readonly #process: ChildProcess;
  readonly #talk: string;
  readonly #from: number;

  /** With `lifeline` it ends the fleet when this process ends, however that happens. */
  constructor({ fleet, socket, logs }: Places, { lifeline }: { readonly lifeline: boolean }) {
    this.#talk = join(logs, "daemon.out");
    const { file, size } = openTalk(logs, this.#talk);
    this.#from = size;
    const [program = "", ...args] = ownProgram();
    const flags = ["--fleet", fleet, "--socket", socket, ...(lifeline ? ["--lifeline"] : [])];
    const stdin = lifeline ? "pipe" : "ignore";
    this.#process = spawn(program, [...args, "daemon", ...flags], { detached: true, stdio: [stdin, file, file] });
    // It shows as an early end.
    this.#process.on("error", () => undefined);
    this.#process.stdin?.on("error", () => undefined);
    closeSync(file);
  }

  get hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#process;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  /** Why it has ended, by its own last words. */
  failure(): PdctlError {
    const lines = this.#lastWords().split("\n");
    const written = lines.filter((line) => line.trim() !== "");
    // From the error on, where it has named one: what follows may be long.
    const error = written.findLastIndex((line) => line.startsWith("Error"));
    const shown = error < 0 ? written.slice(-linesShown) : written.slice(error, error + linesShown);
    const words = shown.map((line) => `\n  | ${line}`).join("");
    const sentence = `The daemon ended while the fleet was starting.${words}`;
    return readPage(lines) ?? new PdctlError("engine-start-failed", sentence, `read ${this.#talk}`);
  }

  /** This command may end without it; a lifeline is cut by that. */
  letGo(): void {
    this.#process.unref();
    if (this.#process.stdin instanceof Socket) this.#process.stdin.unref();
  }

  #lastWords(): string {
    const file = openSync(this.#talk, "r");
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(Math.max(0, size - this.#from), lastBytes));
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, size - buffer.length));
    } finally {
      closeSync(file);
    }
  }
}

function openTalk(logs: string, path: string): { readonly file: number; readonly size: number } {
  try {
    makePrivateFolder(logs);
    const file = openSync(path, "a", 0o600);
    if (fstatSync(file).size > talkBytesMax) ftruncateSync(file);
    return { file, size: fstatSync(file).size };
  } catch (error) {
    throw placeError(error, "set PDCTL_HOME to a folder of your own");
  }
}
