import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import { PdctlError } from "../../contract/errors.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { adopted, type GroupRecord, newGroup, refreshed } from "../../lib/process-group.ts";
import { bootId } from "../../lib/processes.ts";

/** How a process ended. */
export type Exit = { readonly code: number | undefined; readonly signal: string | undefined };

export function exitWords({ code, signal }: Exit): string {
  return signal === undefined ? `exit code ${code}` : `signal ${signal}`;
}

/** One process that was started here, leading a group of its own, its words going to a file. */
export class Child {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  exit: Exit | undefined;
  #group: GroupRecord;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, pid: number) {
    this.#process = process;
    this.pid = pid;
    this.#group = newGroup(pid, bootId());
    // An engine that is gone does not read its lifeline: the broken pipe says nothing new.
    process.stdin?.on("error", () => undefined);
    this.exited = new Promise((resolve) => {
      process.once("exit", (code, signal) => {
        // Whoever is in the group at this very moment was born in it: the number is not free yet.
        this.#group = adopted(this.#group);
        this.exit = { code: code ?? undefined, signal: signal ?? undefined };
        resolve(this.exit);
      });
    });
  }

  static async start({ name, argv, env, cwd }: ProcessSpec, logFile: string): Promise<Child> {
    const [program = "", ...args] = argv;
    // The log of the run before stays beside it: it often holds the reason for this start.
    if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
    const log = openSync(logFile, "w", 0o600);
    try {
      // The pipe to stdin is the lifeline: it closes when this process ends, however it ends.
      const process = spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", log, log] });
      await spawned(process, name);
      return new Child(process, process.pid ?? 0);
    } finally {
      closeSync(log);
    }
  }

  /** Looks who is in the group now, and says who has been. */
  group(): GroupRecord {
    if (this.exit === undefined) this.#group = refreshed(this.#group);
    return this.#group;
  }

  /** Whoever has been seen in the group so far. */
  known(): GroupRecord {
    return this.#group;
  }

  /** Lets go of the lifeline: a well-behaved process ends by itself. */
  letGo(): void {
    this.#process.stdin?.destroy();
  }
}

async function spawned(process: ChildProcess, name: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.once("spawn", resolve);
    process.once("error", (cause) => {
      reject(
        new PdctlError(
          "system",
          `${name} cannot be started: ${cause.message}.`,
          "look at the program's path and rights",
          { cause },
        ),
      );
    });
  });
}
