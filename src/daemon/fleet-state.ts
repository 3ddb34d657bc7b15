import { BugError } from "../contract/errors.ts";
import type { FleetView } from "../contract/fleet.ts";
import { type ProcessTable, processView } from "./supervisor/process-table.ts";

type Phase = "starting" | "ready" | "stopping" | "failed";

const next: Record<Phase, readonly Phase[]> = {
  starting: ["ready", "stopping", "failed"],
  ready: ["stopping"],
  stopping: ["failed"],
  failed: ["stopping"],
};

export type FleetIdentity = Pick<FleetView, "fleet" | "epoch" | "model" | "daemon">;

/** Where the fleet is in its life, and what is being done. */
export class FleetState {
  #phase: Phase = "starting";
  #step: string | undefined;
  readonly #identity: FleetIdentity;
  readonly #table: ProcessTable;

  constructor(identity: FleetIdentity, table: ProcessTable) {
    this.#identity = identity;
    this.#table = table;
  }

  enter(to: Phase): void {
    if (this.#phase === to) return;
    if (!next[this.#phase].includes(to)) throw new BugError(`the fleet cannot go from ${this.#phase} to ${to}`);
    this.#phase = to;
    this.#step = undefined;
  }

  step(words: string): void {
    this.#step = words;
  }

  view(): FleetView {
    const entries = this.#table.all();
    const routers = entries.filter(({ spec }) => spec.role === "router").map(processView);
    const engines = entries.filter(({ spec }) => spec.role !== "router").map(processView);
    const router = routers[0] ?? {
      name: "router",
      role: "router",
      driver: "embedded",
      state: "stopped",
      generation: 0,
    };
    const broken = [...engines, router].some(({ state }) => state === "failed");
    return {
      ...this.#identity,
      state: this.#phase === "ready" && broken ? "degraded" : this.#phase,
      ...(this.#step === undefined ? {} : { step: this.#step }),
      ...(router.url === undefined ? {} : { url: router.url }),
      engines,
      router,
    };
  }
}
