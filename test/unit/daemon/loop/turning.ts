import type { Action, Outcome } from "../../../../src/contract/action.ts";
import { type FleetConfig, fleetConfigSchema } from "../../../../src/contract/config.ts";
import type { Observation } from "../../../../src/contract/observation.ts";
import { fleetLineOf } from "../../../../src/daemon/fleet-line.ts";
import { Loop, type LoopParts, type Turn } from "../../../../src/daemon/loop.ts";
import { type Beginning, beginning } from "../../../../src/daemon/state.ts";
import type { ProcessEntry } from "../../../../src/daemon/supervisor/process-table.ts";
import type { SupervisorView, Words } from "../../../../src/daemon/supervisor/supervisor.ts";
import { WishBox } from "../../../../src/daemon/wish-box.ts";
import { stderrLog } from "../../../../src/lib/stderr-log.ts";

export const config: FleetConfig = fleetConfigSchema.parse({ policy: { poll: "1s" }, canary: { every: "off" } });

export function entry(name: string, more: Partial<ProcessEntry> = {}): ProcessEntry {
  const role = name === "router" || name === "decode" ? name : "prefill";
  const driver = role === "router" ? "embedded" : "native";
  const files = { argv: [], env: {}, cwd: "/", readyFile: "", startMs: 1_000, stopMs: 1_000 };
  return {
    spec: { name, role, driver, ...files },
    state: "ready",
    sinceMs: 0,
    generation: 1,
    members: [],
    busy: false,
    ready: { pid: 2, url: `http://127.0.0.1/${name}` },
    ...more,
  };
}

export const serving: SupervisorView = {
  processes: [entry("prefill"), entry("decode"), entry("router")],
  epoch: 1,
  serves: true,
  quarantined: [],
  actions: [],
};

export const stopped: SupervisorView = {
  ...serving,
  processes: ["prefill", "decode", "router"].map((name) => entry(name, { state: "stopped", generation: 0 })),
  serves: false,
};

/** A loop whose poller and supervisor do what a test says, one second a tick. */
export class Turning {
  nowMs = 1_000_000;
  view: SupervisorView;
  seen: readonly Observation[] = [];
  outcomes: readonly Outcome[] = [];
  words: readonly Words[] = [];
  held = true;
  mistake: Error | undefined;
  readonly begun: Action[] = [];
  readonly turns: Turn[] = [];
  readonly wishes = new WishBox(() => undefined);
  readonly loop: Loop;

  constructor(view: SupervisorView, more: Partial<Beginning> = {}, outcomes: readonly Outcome[] = []) {
    this.view = view;
    const desired = { wish: "up", drainMs: 0, now: false } as const;
    const begin = { fleetLine: fleetLineOf(config), view, desired, restricted: undefined, ...more };
    this.loop = new Loop(this.#parts(), beginning(begin), outcomes);
  }

  tick(): boolean {
    this.nowMs += 1_000;
    return this.loop.tick();
  }

  /** Everyone is well and was seen just now. */
  well(): readonly Observation[] {
    const at = { kind: "sample", t: this.nowMs / 1_000, generation: 1, health: "ok" } as const;
    const empty = { bootstrap_queue: 0, waiting: 0, running: 0, inflight: 0, prealloc_queue: 0, transfer_queue: 0 };
    return [
      { ...at, id: "prefill", ...empty },
      { ...at, id: "decode", ...empty },
      { ...at, id: "router", open: [] },
    ];
  }

  #parts(): LoopParts {
    return {
      poller: { watch: () => undefined, take: () => this.seen },
      supervisor: {
        begin: (actions) => void this.begun.push(...actions),
        take: () => {
          const taken = { outcomes: this.outcomes, seen: [], words: this.words };
          this.outcomes = [];
          this.words = [];
          return taken;
        },
        view: () => this.view,
      },
      wishes: this.wishes,
      lock: { stillHeld: () => this.held },
      config,
      clock: { nowMs: () => this.nowMs, wallMs: () => this.nowMs },
      log: stderrLog("loop").child({}, { level: "silent" }),
      record: (turn) => {
        if (this.mistake !== undefined) throw this.mistake;
        this.turns.push(turn);
      },
      finished: () => undefined,
    };
  }
}
