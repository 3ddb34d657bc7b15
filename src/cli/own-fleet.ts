import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { DaemonClient } from "../client/daemon-client.ts";
import { readPage } from "../contract/error-page.ts";
import { PdctlError } from "../contract/errors.ts";
import type { FleetView } from "../contract/fleet.ts";
import { lastLines } from "../lib/file-tail.ts";
import type { Places } from "../lib/places.ts";
import { makePrivateFolder } from "../lib/private-files.ts";
import { placeError } from "./place-error.ts";
import { awaitUp } from "./running-fleet.ts";
import { ownProgram } from "./self.ts";

export type OwnFleetOptions = {
  readonly places: Places;
  /** Flags of `up` that say which fleet. */
  readonly flags: readonly string[];
  /** Lets the fleet outlive this command. */
  readonly keep: boolean;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

/** A fleet that this command starts for itself, in a process of its own. Its words go to a file. */
export class OwnFleet {
  readonly #process: ChildProcess;
  readonly #options: OwnFleetOptions;
  readonly #logFile: string;

  constructor(options: OwnFleetOptions) {
    const { places, flags, keep } = options;
    this.#options = options;
    this.#logFile = join(places.logs, "up.log");
    const [program = "", ...args] = ownProgram();
    const log = openLog(this.#logFile);
    // Port 0: a fleet beside others never collides with them. The lifeline ends it however this command ends.
    const up = [...args, "up", "--foreground", "--listen", "127.0.0.1:0", ...(keep ? [] : ["--lifeline"]), ...flags];
    this.#process = spawn(program, up, { detached: true, stdio: [keep ? "ignore" : "pipe", log, log] });
    this.#process.on("error", (error) => this.#options.say(error.message));
    this.#process.stdin?.on("error", () => undefined);
    closeSync(log);
  }

  async up(): Promise<FleetView> {
    const { places, limitMs, signal, say } = this.#options;
    const stillHopeful = (): void => {
      if (this.#process.exitCode !== null || this.#process.signalCode !== null) throw this.#failure();
    };
    return await awaitUp(new DaemonClient(places.socket), { limitMs, signal, onStep: say, stillHopeful });
  }

  /** Lets go of it: without --keep it ends by itself, with --keep it goes on. */
  letGo(): void {
    this.#process.stdin?.destroy();
    this.#process.unref();
  }

  #failure(): PdctlError {
    const lines = lastLines(this.#logFile, { linesMax: 40, bytesMax: 16_384 });
    const words = lines
      .slice(-8)
      .map((line) => `\n  | ${line}`)
      .join("");
    return (
      readPage(lines) ??
      new PdctlError("engine-start-failed", `The fleet ended while it was starting.${words}`, `read ${this.#logFile}`)
    );
  }
}

function openLog(path: string): number {
  try {
    makePrivateFolder(dirname(path));
    return openSync(path, "w", 0o600);
  } catch (error) {
    throw placeError(error, "set PDCTL_HOME to a folder of your own");
  }
}
