import { rmSync } from "node:fs";
import { join } from "node:path";
import { PdctlError } from "../../contract/errors.ts";
import type { Ready } from "../../contract/launch.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import type { Log } from "../../lib/log.ts";
import type { ProcessIdentity } from "../../lib/processes.ts";
import { removeRunRecord, writeRunRecord } from "../../lib/run-records.ts";
import { awaitReady } from "./await-ready.ts";
import { Child, exitWords } from "./child.ts";
import { endGroup } from "./end-group.ts";
import type { ProcessTable } from "./process-table.ts";

// How soon a new member of a group is on record, for whoever comes when this process is gone. At the end of a
// leader everyone in its group is taken for its own, on record or not.
const lookEveryMs = 5_000;

export type SupervisorParts = {
  readonly table: ProcessTable;
  readonly run: string;
  readonly logs: string;
  readonly log: Log;
};

/** Owns the child processes: starts them, notices when they end, ends them and proves that nobody is left. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #children = new Map<string, Child>();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#lookAtGroups(), lookEveryMs);
    this.#timer.unref();
  }

  /** Starts one process and waits until it serves. When it does not, nothing of it is left. */
  async start(spec: ProcessSpec, signal: AbortSignal): Promise<Ready> {
    const { table, logs, run } = this.#parts;
    const logFile = join(logs, `${spec.name}.log`);
    rmSync(spec.readyFile, { force: true });
    table.enter(spec.name, "starting");
    try {
      signal.throwIfAborted();
      const child = await Child.start(spec, logFile);
      this.#children.set(spec.name, child);
      table.note(spec.name, { pid: child.pid });
      writeRunRecord(run, { name: spec.name, ...child.group() });
      const ready = await awaitReady(child, { spec, logFile, signal });
      table.enter(spec.name, "ready", { ready });
      this.#noticeEnd(spec, child);
      return ready;
    } catch (error) {
      await this.#clear(spec, AbortSignal.abort());
      table.enter(spec.name, "failed", { cause: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  /** Ends one process and its group. Throws where someone is left after SIGKILL. */
  async stop(spec: ProcessSpec, now: AbortSignal): Promise<void> {
    const { table } = this.#parts;
    const { state } = table.get(spec.name);
    if (state === "stopped" || state === "stopping") return;
    table.enter(spec.name, "stopping");
    const left = await this.#clear(spec, now);
    if (left.length === 0) {
      table.enter(spec.name, "stopped");
      return;
    }
    const pids = left.map(({ pid }) => pid).join(", ");
    table.enter(spec.name, "failed", { cause: `processes ${pids} are left after SIGKILL` });
    throw new PdctlError(
      "stop-incomplete",
      `${spec.name}: processes ${pids} have not ended after SIGKILL.`,
      "they hang in the kernel: look at /proc/PID/stack, then run pdctl down again",
    );
  }

  close(): void {
    clearInterval(this.#timer);
  }

  // Ends the group and takes its files away. Returns who is left.
  async #clear(spec: ProcessSpec, now: AbortSignal): Promise<readonly ProcessIdentity[]> {
    const child = this.#children.get(spec.name);
    const left = child === undefined ? [] : await endGroup({ group: () => child.group(), graceMs: spec.stopMs, now });
    if (left.length > 0) return left;
    child?.letGo();
    this.#children.delete(spec.name);
    rmSync(spec.readyFile, { force: true });
    removeRunRecord(this.#parts.run, spec.name);
    return [];
  }

  #noticeEnd(spec: ProcessSpec, child: Child): void {
    const { table, log } = this.#parts;
    const notice = async (): Promise<void> => {
      const exit = await child.exited;
      const { state } = table.get(spec.name);
      if (state !== "ready" && state !== "draining") return;
      const cause = `ended by itself with ${exitWords(exit)}`;
      log.error({ engine: spec.name, pid: child.pid }, cause);
      table.enter(spec.name, "failed", { cause });
      const left = await this.#clear(spec, AbortSignal.abort());
      if (left.length > 0) log.error({ engine: spec.name, left }, "processes are left after SIGKILL");
    };
    notice().catch((error: unknown) => log.error({ engine: spec.name, error }, "the end was not handled"));
  }

  #lookAtGroups(): void {
    for (const [name, child] of this.#children) {
      if (child.exit === undefined) writeIfGrown(this.#parts.run, name, child);
    }
  }
}

function writeIfGrown(run: string, name: string, child: Child): void {
  const before = child.known();
  const group = child.group();
  if (group !== before) writeRunRecord(run, { name, ...group });
}
