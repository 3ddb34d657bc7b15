import { BugError } from "../../contract/errors.ts";
import type { ProcessState, ProcessView } from "../../contract/fleet.ts";
import type { Ready } from "../../contract/launch.ts";
import type { Identity } from "../../contract/run-record.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";

const next: Record<ProcessState, readonly ProcessState[]> = {
  stopped: ["starting"],
  starting: ["ready", "failed", "stopping"],
  ready: ["draining", "stopping", "failed"],
  draining: ["ready", "stopping", "failed"],
  stopping: ["stopped", "failed"],
  failed: ["starting", "stopping"],
};

/** What is known of one launched process. */
export type ProcessEntry = {
  readonly spec: ProcessSpec;
  readonly state: ProcessState;
  readonly sinceMs: number;
  /** How often it was started. */
  readonly generation: number;
  /** Of the process itself, not of the shim that holds it. */
  readonly pid?: number;
  readonly ready?: Ready;
  /** The process and all that descend from it, as last seen. */
  readonly members: readonly Identity[];
  /** Why it failed, in words. */
  readonly failure?: string;
  /** An operation holds it. */
  readonly busy: boolean;
};

export type ProcessFacts = Partial<Omit<ProcessEntry, "state" | "sinceMs">>;

/** Every launched process and its state: the only place where one changes. */
export class ProcessTable {
  readonly #entries = new Map<string, ProcessEntry>();
  readonly #nowMs: () => number;
  readonly #onEnter: (entry: ProcessEntry) => void;

  constructor(nowMs: () => number, onEnter: (entry: ProcessEntry) => void) {
    this.#nowMs = nowMs;
    this.#onEnter = onEnter;
  }

  /** Takes a process in, as it was found: at first nothing is known of it. */
  add(spec: ProcessSpec, found: { readonly state?: ProcessState } & ProcessFacts = {}): void {
    const none = { state: "stopped", generation: 0, members: [], busy: false } as const;
    this.#entries.set(spec.name, { ...none, spec, ...found, sinceMs: this.#nowMs() });
  }

  get(name: string): ProcessEntry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new BugError(`no process is named ${name}`);
    return entry;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  all(): ProcessEntry[] {
    return [...this.#entries.values()];
  }

  /** Moves a process to another state, with what became known. A move that the table lacks is a bug. */
  enter(name: string, to: ProcessState, facts: ProcessFacts = {}): void {
    const { spec, ...before } = this.get(name);
    if (!next[before.state].includes(to)) throw new BugError(`${name} cannot go from ${before.state} to ${to}`);
    const { busy, generation } = before;
    // Of the run before a start nothing counts any more.
    const kept = to === "starting" ? { busy, generation: generation + 1, members: [] } : before;
    const entry: ProcessEntry = { ...kept, spec, state: to, sinceMs: this.#nowMs(), ...facts };
    this.#entries.set(name, entry);
    this.#onEnter(entry);
  }

  /** Notes what became known without a change of state. */
  note(name: string, facts: ProcessFacts): void {
    this.#entries.set(name, { ...this.get(name), ...facts });
  }
}

/** Whether it runs, as far as is known. */
export function isThere({ state }: Pick<ProcessEntry, "state">): boolean {
  return state !== "stopped" && state !== "failed";
}

/** The process as the API shows it, but for what detector and poller add. */
export function processView(entry: ProcessEntry): ProcessView {
  const { spec, state, generation, pid, ready, failure } = entry;
  // Of a process that is gone nothing can be reached any more.
  const there = isThere(entry);
  return {
    name: spec.name,
    role: spec.role,
    driver: spec.driver,
    state,
    generation,
    ...(there && pid !== undefined ? { pid } : {}),
    ...(there && ready !== undefined ? { url: ready.url } : {}),
    ...(there && ready?.bootstrapPort !== undefined ? { bootstrapPort: ready.bootstrapPort } : {}),
    ...(failure === undefined ? {} : { failure }),
  };
}
