import type { Action, Outcome } from "../../contract/action.ts";
import type { Observation } from "../../contract/observation.ts";
import type { SavedFleet } from "../../contract/saved-fleet.ts";
import type { Clock } from "../../lib/clock.ts";
import { defined } from "../../lib/defined.ts";
import type { Log } from "../../lib/log.ts";
import type { Places } from "../../lib/places.ts";
import { adoptAll } from "./adopt.ts";
import { FleetPlan } from "./fleet-plan.ts";
import { Intents } from "./intents.ts";
import type { Exit } from "./launch-failure.ts";
import { Operations } from "./operations.ts";
import { type KeeperParts, ProcessKeeper } from "./process-keeper.ts";
import { type ProcessEntry, ProcessTable } from "./process-table.ts";
import { resumable } from "./resume.ts";
import { type Pair, RouterEdges } from "./router-edges.ts";
import { routerEpoch } from "./router-epoch.ts";
import { RunWatch } from "./watch-runs.ts";
import { readWish } from "./wish-file.ts";

export type SupervisorOptions = {
  readonly places: Places;
  readonly saved: SavedFleet;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  /** One fresh probe, for the last look before an action. */
  readonly look: (name: string, signal: AbortSignal) => Promise<Observation | undefined>;
  /** Whether this process still is the one that may signal, spawn and abort. */
  readonly holdsLock: () => boolean;
  /** Called when an action has worked, for whoever does not want to wait for its pace. */
  readonly onEnd?: () => void;
  /** For the knobs of tests. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

export type Words = {
  readonly subject: string;
  readonly words: string;
  /** The action that they belong to; none where a process speaks for itself. */
  readonly action?: string;
};

/** What came up since the last time. */
export type Taken = {
  readonly outcomes: readonly Outcome[];
  readonly seen: readonly Observation[];
  readonly words: readonly Words[];
};

export type SupervisorView = {
  readonly processes: readonly ProcessEntry[];
  readonly epoch: number;
  /** Router, prefill and decode are ready, and nobody starts or stops the fleet. */
  readonly serves: boolean;
  readonly operation?: { readonly name: string; readonly step: string; readonly words: string };
  readonly quarantined: readonly Pair[];
  /** Ids of the actions that are being performed. */
  readonly actions: readonly string[];
};

// Each is taken once a tick; a reader that is gone shall not fill the memory.
const keptMax = 1_000;

/** Performs actions, and owns the processes of a fleet and their states. */
export class Supervisor {
  readonly #parts: KeeperParts;
  readonly #table: ProcessTable;
  readonly #keeper: ProcessKeeper;
  readonly #intents: Intents;
  readonly #edges: RouterEdges;
  readonly #operations: Operations;
  readonly #watch: RunWatch;
  readonly #closing = new AbortController();
  #outcomes: Outcome[] = [];
  #seen: Observation[] = [];
  #words: Words[] = [];

  /** Takes over what runs already, and goes on with the operation that a crash has cut short. */
  static async open(options: SupervisorOptions): Promise<Supervisor> {
    const supervisor = new Supervisor(options);
    await supervisor.#adopt(options);
    return supervisor;
  }

  private constructor(options: SupervisorOptions) {
    const { places, saved, secret, clock, log, holdsLock } = options;
    const plan = new FleetPlan({ ...saved, places });
    const table = new ProcessTable(clock.nowMs, (entry) => this.#entered(entry));
    for (const spec of plan.specs()) table.add(spec);
    const parts = { table, plan, places, log, holdsLock };
    const keeper = new ProcessKeeper(parts);
    const intents = new Intents(places.intents);
    const edges = new RouterEdges({
      ...{ table, plan, secret, log },
      epoch: () => intents.epoch,
      quarantined: () => intents.quarantined,
    });
    this.#parts = parts;
    this.#table = table;
    this.#keeper = keeper;
    this.#intents = intents;
    this.#edges = edges;
    this.#operations = new Operations({
      ...{ ...parts, keeper, edges, intents, secret, clock, look: options.look },
      startTimeoutMs: saved.startTimeoutMs,
      env: options.env ?? {},
      say: (subject, words, action) => keep(this.#words, { subject, words, ...defined({ action }) }),
      see: (seen) => keep(this.#seen, seen),
      onOutcome: (outcome) => {
        keep(this.#outcomes, outcome);
        // Only what has worked: a refusal may come again at once, each time.
        if (outcome.outcome === "done") options.onEnd?.();
      },
    });
    this.#watch = new RunWatch({
      ...{ ...parts, keeper, nowMs: clock.nowMs },
      onExit: (name, exit) => this.#exited(name, exit, clock),
    });
  }

  /** Called each tick, also with nothing to begin. */
  begin(actions: readonly Action[]): void {
    this.#watch.lookAtAll();
    for (const action of actions) this.#operations.begin(action);
    this.#edges.sync(this.#closing.signal);
  }

  take(): Taken {
    const taken = { outcomes: this.#outcomes, seen: this.#seen, words: this.#words };
    this.#outcomes = [];
    this.#seen = [];
    this.#words = [];
    return taken;
  }

  view(): SupervisorView {
    const processes = this.#table.all();
    const operation = this.#operations.current;
    const ready = (role: string): boolean =>
      processes.some(({ spec, state }) => spec.role === role && state === "ready");
    const pair = (ready("prefill") && ready("decode")) || ready("both");
    return {
      processes,
      epoch: this.#intents.epoch,
      serves: ready("router") && pair && !this.#operations.turns,
      ...(operation === undefined ? {} : { operation }),
      quarantined: this.#intents.quarantined,
      actions: this.#operations.ids,
    };
  }

  /** Lets go of everything; the processes run on, for the next daemon. */
  close(): void {
    this.#closing.abort(new Error("the supervisor was closed"));
    this.#operations.close();
    this.#keeper.close();
    this.#watch.close();
    this.#intents.close();
  }

  async #adopt({ places, secret, clock }: SupervisorOptions): Promise<void> {
    const wish = readWish(places.intent);
    this.#intents.reachEpoch(Math.max(wish?.epoch ?? 0, 1));
    const { goOn, unknown } = resumable(this.#intents.open(), wish?.wish ?? "up");
    await adoptAll({
      ...{ ...this.#parts, keeper: this.#keeper },
      wallMs: clock.wallMs,
      ending: goOn.length > 0,
      onExit: (name, exit) => this.#exited(name, exit, clock),
    });
    // A smaller one would be refused there for ever.
    this.#intents.reachEpoch(await routerEpoch({ table: this.#table, secret }));
    for (const { action, words } of unknown) {
      const outcome: Outcome = { actionId: action.id, outcome: "unknown", atMs: clock.nowMs(), words, details: [] };
      this.#intents.end(outcome);
      keep(this.#outcomes, outcome);
    }
    for (const operation of goOn) this.#operations.goOn(operation);
  }

  #exited(name: string, { code, signal }: Exit, clock: Clock): void {
    const how = { ...(code === undefined ? {} : { code }), ...(signal === undefined ? {} : { signal }) };
    keep(this.#seen, { kind: "exit", t: clock.nowMs() / 1_000, id: name, ...how });
  }

  #entered({ spec, state, failure, generation }: ProcessEntry): void {
    this.#parts.log.info({ process: spec.name, state, generation, failure }, "state");
    if (state === "failed")
      keep(this.#words, { subject: spec.name, words: `failed: ${failure ?? "for no known reason"}` });
    this.#edges.sync(this.#closing.signal);
  }
}

function keep<T>(list: T[], one: T): void {
  list.push(one);
  if (list.length > keptMax) list.shift();
}
