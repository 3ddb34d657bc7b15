import { BugError } from "../../contract/errors.ts";
import type { ProcessState, ProcessView } from "../../contract/fleet.ts";
import type { Ready } from "../../contract/launch.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";

const next: Record<ProcessState, readonly ProcessState[]> = {
  stopped: ["starting"],
  starting: ["ready", "failed", "stopping"],
  ready: ["draining", "stopping", "failed"],
  draining: ["stopping", "failed"],
  stopping: ["stopped", "failed"],
  failed: ["starting", "stopping"],
};

/** What is known of one launched process. */
export type ProcessEntry = {
  readonly spec: ProcessSpec;
  readonly state: ProcessState;
  readonly sinceMs: number;
  readonly generation: number;
  readonly pid?: number;
  readonly ready?: Ready;
  readonly cause?: string;
};

export type ProcessFacts = Partial<Pick<ProcessEntry, "pid" | "ready" | "cause">>;

/** Every launched process and its state: the only place where one changes. */
export class ProcessTable {
  readonly #entries = new Map<string, ProcessEntry>();
  readonly #nowMs: () => number;
  readonly #onEnter: (entry: ProcessEntry) => void;

  constructor(nowMs: () => number, onEnter: (entry: ProcessEntry) => void) {
    this.#nowMs = nowMs;
    this.#onEnter = onEnter;
  }

  add(spec: ProcessSpec): void {
    this.#entries.set(spec.name, { spec, state: "stopped", sinceMs: this.#nowMs(), generation: 0 });
  }

  get(name: string): ProcessEntry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new BugError(`no process is named ${name}`);
    return entry;
  }

  all(): ProcessEntry[] {
    return [...this.#entries.values()];
  }

  /** Moves a process to another state, with what became known. A move that the table lacks is a bug. */
  enter(name: string, to: ProcessState, facts: ProcessFacts = {}): void {
    const before = this.get(name);
    if (!next[before.state].includes(to)) throw new BugError(`${name} cannot go from ${before.state} to ${to}`);
    const entry: ProcessEntry =
      to === "starting"
        ? { spec: before.spec, state: to, sinceMs: this.#nowMs(), generation: before.generation + 1, ...facts }
        : { ...before, state: to, sinceMs: this.#nowMs(), ...facts };
    this.#entries.set(name, entry);
    this.#onEnter(entry);
  }

  /** Notes what became known without a change of state. */
  note(name: string, facts: ProcessFacts): void {
    this.#entries.set(name, { ...this.get(name), ...facts });
  }
}

/** The process as the API shows it. */
export function processView({ spec, state, generation, pid, ready, cause }: ProcessEntry): ProcessView {
  // Of a process that is gone nothing can be reached any more.
  const isThere = state !== "stopped" && state !== "failed";
  return {
    name: spec.name,
    role: spec.role,
    driver: spec.driver,
    state,
    generation,
    ...(isThere && pid !== undefined ? { pid } : {}),
    ...(isThere && ready !== undefined ? { url: ready.url } : {}),
    ...(isThere && ready?.bootstrapPort !== undefined ? { bootstrapPort: ready.bootstrapPort } : {}),
    ...(cause === undefined ? {} : { cause }),
  };
}
