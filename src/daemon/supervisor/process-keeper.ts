import { rmSync } from "node:fs";
import { PdctlError } from "../../contract/errors.ts";
import type { Ready } from "../../contract/launch.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { currentRun } from "../../lib/current-run.ts";
import type { Log } from "../../lib/log.ts";
import { orAbort } from "../../lib/or-abort.ts";
import type { Places } from "../../lib/places.ts";
import { forgetRun, type RunFiles, runFiles } from "../../lib/run-files.ts";
import { type AwaitOptions, awaitReady } from "./await-ready.ts";
import { endWhole } from "./end-run.ts";
import type { FleetPlan } from "./fleet-plan.ts";
import { lockLost } from "./lock-lost.ts";
import type { ProcessTable } from "./process-table.ts";
import { spawnRun } from "./spawn-run.ts";

export type KeeperParts = {
  readonly table: ProcessTable;
  readonly plan: FleetPlan;
  readonly places: Places;
  readonly log: Log;
  /** Only who holds the fleet's lock may signal and spawn. */
  readonly holdsLock: () => boolean;
};

type Start = { readonly ready: Promise<Ready>; readonly callOff: AbortController };

/** Starts and ends one process at a time, each under its shim, and proves that nobody of it is left. */
export class ProcessKeeper {
  readonly #parts: KeeperParts;
  readonly #starts = new Map<string, Start>();
  readonly #stops = new Map<string, Promise<void>>();
  /** Where each was reached last: a port that was picked once stays. */
  readonly #known = new Map<string, Ready>();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Starts it and waits until it serves; where it starts already, only waits. A wait that ends leaves it starting. */
  async start(name: string, signal: AbortSignal): Promise<Ready> {
    const { state, ready } = this.#parts.table.get(name);
    if ((state === "ready" || state === "draining") && ready !== undefined) return ready;
    const start = this.#starts.get(name) ?? this.#begin(name, (off) => this.#launch(name, off));
    return await orAbort(start.ready, signal);
  }

  /** Ends it and whatever came from it. Throws where somebody is left. */
  async stop(name: string, now: AbortSignal): Promise<void> {
    const running = this.#stops.get(name);
    if (running !== undefined) return await running;
    const stop = this.#end(name, now).finally(() => this.#stops.delete(name));
    this.#stops.set(name, stop);
    await stop;
  }

  /** Waits for a process that an earlier daemon has started. */
  awaitAdopted(spec: ProcessSpec, limitMs: number): void {
    this.#begin(spec.name, async (off) =>
      this.#orFail(spec.name, off, async () => await this.#untilReady({ spec, limitMs, logFrom: 0, signal: off })),
    );
  }

  /** Where it was reached in an earlier run. */
  remember(name: string, ready: Ready): void {
    this.#known.set(name, ready);
  }

  /** The fleet has ended: nothing is known of where it was. */
  forgetPorts(): void {
    this.#known.clear();
    for (const { spec } of this.#parts.table.all()) rmSync(spec.readyFile, { force: true });
  }

  filesOf(name: string): RunFiles {
    return runFiles(this.#parts.places, name);
  }

  /** Ends what is left of a run that has ended by itself. */
  async clear(name: string): Promise<void> {
    this.#mustHold();
    const mayAct = (): void => this.#mustHold();
    await endWhole(name, this.filesOf(name), { graceMs: 0, now: AbortSignal.abort(), mayAct });
  }

  /** Lets go of every wait; the processes run on. */
  close(): void {
    for (const { callOff } of this.#starts.values()) callOff.abort(new Error("the supervisor was closed"));
  }

  #begin(name: string, act: (off: AbortSignal) => Promise<Ready>): Start {
    const callOff = new AbortController();
    const ready = act(callOff.signal).finally(() => this.#starts.delete(name));
    // Whoever waits hears of it; where nobody does any more, the table and the log have it.
    ready.catch(() => undefined);
    const start = { ready, callOff };
    this.#starts.set(name, start);
    return start;
  }

  async #launch(name: string, off: AbortSignal): Promise<Ready> {
    const { table, plan } = this.#parts;
    // The proof that nobody of an earlier run is left comes first.
    await this.clear(name);
    const spec = plan.spec(name, this.#known.get(name));
    table.enter(name, "starting", { spec });
    return await this.#orFail(name, off, async () => {
      try {
        return await this.#serve(spec, off);
      } catch (error) {
        const free = plan.spec(name);
        if (off.aborted || !isPortTaken(error) || free.argv.join(" ") === spec.argv.join(" ")) throw error;
        // Somebody has taken the port that it had: another one is better than none.
        this.#known.delete(name);
        await this.clear(name);
        table.note(name, { spec: free, generation: table.get(name).generation + 1 });
        return await this.#serve(free, off);
      }
    });
  }

  async #serve(spec: ProcessSpec, off: AbortSignal): Promise<Ready> {
    const { table } = this.#parts;
    const { name, startMs } = spec;
    const files = this.filesOf(name);
    const { generation } = table.get(name);
    const logFrom = await spawnRun(spec, files, { generation, mayAct: () => this.#mustHold(), signal: off });
    const child = currentRun(files)?.child;
    if (child !== undefined) table.note(name, { pid: child.pid, members: [child] });
    return await this.#untilReady({ spec, limitMs: startMs, logFrom, signal: off });
  }

  async #untilReady(options: AwaitOptions): Promise<Ready> {
    const { name } = options.spec;
    const ready = await awaitReady(this.filesOf(name), options);
    this.#known.set(name, ready);
    this.#parts.table.enter(name, "ready", { ready });
    return ready;
  }

  // Nothing is left of a start that has failed. One that was called off is somebody else's to end or wait for.
  async #orFail(name: string, off: AbortSignal, act: () => Promise<Ready>): Promise<Ready> {
    try {
      return await act();
    } catch (error) {
      off.throwIfAborted();
      try {
        await this.clear(name);
      } finally {
        this.#parts.table.enter(name, "failed", { failure: wordsOf(error) });
      }
      throw error;
    }
  }

  async #end(name: string, now: AbortSignal): Promise<void> {
    const { table } = this.#parts;
    const start = this.#starts.get(name);
    start?.callOff.abort(new PdctlError("interrupted", `${name} was stopped while it was starting.`, ""));
    await start?.ready.catch(() => undefined);
    const { state, spec } = table.get(name);
    if (state === "stopped") return;
    this.#mustHold();
    table.enter(name, "stopping");
    const files = this.filesOf(name);
    try {
      await endWhole(name, files, { graceMs: spec.stopMs, now, mayAct: () => this.#mustHold() });
    } catch (error) {
      table.enter(name, "failed", { failure: wordsOf(error) });
      throw error;
    }
    forgetRun(files);
    table.enter(name, "stopped", { members: [] });
  }

  #mustHold(): void {
    if (!this.#parts.holdsLock()) throw lockLost();
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isPortTaken(error: unknown): boolean {
  return error instanceof PdctlError && error.code === "port-in-use";
}
