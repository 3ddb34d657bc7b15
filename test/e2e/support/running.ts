import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { within } from "./until.ts";

export type Ended = { readonly code: number | undefined; readonly signal: string | undefined };
export type Finished = Ended & { readonly stdout: string; readonly stderr: string };
type Launch = { readonly env: Record<string, string>; readonly cwd?: string };

/** One process in a group of its own, as a terminal makes it, with everything that it has said. */
export class Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";
  over = false;
  readonly #child: ChildProcess;
  readonly #words: string;

  constructor(command: string, args: readonly string[], launch: Launch) {
    this.#words = [command, ...args].join(" ");
    this.#child = spawn(command, args, { ...launch, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ended = once(this.#child, "exit").then(([code, signal]) => {
      this.over = true;
      return { code: code ?? undefined, signal: signal ?? undefined };
    });
    this.ended.catch(() => {}); // a command that is not there: seen by whoever waits
    if (this.#child.pid === undefined) throw new Error(`cannot start '${this.#words}'`);
    this.pid = this.#child.pid;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.over) process.kill(this.pid, name);
  }

  /** What Ctrl-C in a terminal does: every process of the group gets it. */
  signalGroup(name: NodeJS.Signals): void {
    if (!this.over) process.kill(-this.pid, name);
  }

  async finish(limitMs: number): Promise<Finished> {
    const ended = await within(this.#words, limitMs, this.ended).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.said()}`);
    });
    return { ...ended, stdout: this.stdout, stderr: this.stderr };
  }

  /** Ends it by its own id, whatever state it is in. */
  async end(): Promise<void> {
    this.signal("SIGKILL");
    await within(`the end of '${this.#words}'`, 10_000, this.ended);
  }

  said(): string {
    return `--- ${this.#words}\n${this.stdout.slice(-4000)}\n--- its stderr\n${this.stderr.slice(-4000)}`;
  }
}

/** Runs a command to its end. */
export async function finished(
  command: string,
  args: readonly string[],
  launch: Launch,
  limitMs = 60_000,
): Promise<Finished> {
  const running = new Running(command, args, launch);
  try {
    return await running.finish(limitMs);
  } finally {
    if (!running.over) await running.end();
  }
}
