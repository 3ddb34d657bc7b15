import { cpus } from "node:os";
import { asked } from "./asked.ts";
import type { Clock } from "./clock.ts";

/** How the machine is. What could not be learned lately is absent. */
export type HostFacts = {
  readonly loadPercent?: number;
  readonly memoryUsedBytes?: number;
  readonly memoryBytes?: number;
};

type Memory = { readonly memoryUsedBytes: number; readonly memoryBytes: number };

export type HostParts = {
  readonly clock: Clock;
  readonly paceMs?: number;
  /** Asks the system; the usual one reads it by systeminformation. */
  readonly memory?: () => Promise<Memory>;
};

const paceMsUsual = 5_000;
// Older than this it is not how the machine is.
const paceCountMax = 3;

/** Looks at the machine in the background. Nobody waits for it: who asks gets what was seen last. */
export class Host {
  readonly #parts: HostParts;
  readonly #paceMs: number;
  readonly #timer: NodeJS.Timeout;
  #busy = false;
  #closed = false;
  #times: Times | undefined;
  #load: { readonly percent: number; readonly atMs: number } | undefined;
  #memory: (Memory & { readonly atMs: number }) | undefined;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#paceMs = parts.paceMs ?? paceMsUsual;
    this.#timer = setInterval(() => this.#look(), this.#paceMs);
    this.#timer.unref();
    this.#look();
  }

  latest(): HostFacts {
    const [load, memory] = [this.#load, this.#memory];
    return {
      ...(load !== undefined && this.#isFresh(load.atMs) ? { loadPercent: load.percent } : {}),
      ...(memory !== undefined && this.#isFresh(memory.atMs)
        ? { memoryUsedBytes: memory.memoryUsedBytes, memoryBytes: memory.memoryBytes }
        : {}),
    };
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }

  #look(): void {
    const atMs = this.#parts.clock.nowMs();
    // Not systeminformation's currentLoad: it runs a shell and holds the whole process until that has ended.
    const times = cpuTimes();
    const percent = this.#times === undefined ? undefined : loadPercent(this.#times, times);
    if (percent !== undefined) this.#load = { percent, atMs };
    this.#times = times;
    // One that hangs is not asked again, and what it said before grows old.
    if (!this.#busy) void this.#askMemory(atMs);
  }

  async #askMemory(atMs: number): Promise<void> {
    this.#busy = true;
    const memory = await asked(this.#parts.memory ?? memoryFacts);
    this.#busy = false;
    // A machine that does not say is not known: what it said before grows old and is dropped.
    if (memory.kind === "answered" && !this.#closed) this.#memory = { ...memory.value, atMs };
  }

  #isFresh(atMs: number): boolean {
    return this.#parts.clock.nowMs() - atMs <= paceCountMax * this.#paceMs;
  }
}

type Times = { readonly idle: number; readonly all: number };

function cpuTimes(): Times {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.reduce((sum, { user, nice, sys, irq, idle }) => sum + user + nice + sys + irq + idle, 0);
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}

function loadPercent(before: Times, after: Times): number | undefined {
  const all = after.all - before.all;
  return all <= 0 ? undefined : Math.min(100, Math.max(0, (100 * (all - (after.idle - before.idle))) / all));
}

async function memoryFacts(): Promise<Memory> {
  // Loaded late: it takes 40 ms and 10 MB, and most commands never need it.
  const { mem } = await import("systeminformation");
  const { total, active } = await mem();
  return { memoryBytes: total, memoryUsedBytes: active };
}
