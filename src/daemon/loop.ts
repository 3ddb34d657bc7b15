import type { Action, Outcome } from "../contract/action.ts";
import type { FleetConfig } from "../contract/config.ts";
import { PdctlError } from "../contract/errors.ts";
import type { Observation } from "../contract/observation.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Wish } from "../contract/wishes.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Wished } from "./api/parts.ts";
import { judge } from "./detector/judge.ts";
import { note } from "./healer/note.ts";
import { plan } from "./healer/plan.ts";
import { turned } from "./incident-book.ts";
import type { Target } from "./poller/target.ts";
import { type FleetState, type Inputs, remember, risen, situationOf, withActions } from "./state.ts";
import type { SupervisorView, Taken } from "./supervisor/supervisor.ts";
import { targetsOf } from "./targets.ts";
import { refused, type Waiting, type WishBox } from "./wish-box.ts";
import { heard } from "./wishes-heard.ts";

/** What the loop turns, each at its interface. */
export type LoopParts = {
  readonly poller: {
    readonly watch: (targets: readonly Target[]) => void;
    readonly take: () => readonly Observation[];
  };
  readonly supervisor: {
    readonly begin: (actions: readonly Action[]) => void;
    readonly take: () => Taken;
    readonly view: () => SupervisorView;
  };
  readonly wishes: Pick<WishBox, "take">;
  readonly lock: { readonly stillHeld: () => boolean };
  readonly config: FleetConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** What is to be on disk before the actions of a tick begin. */
  readonly record: (turn: Turn) => void;
  /** A tick is over: it is told to whoever wants to know. */
  readonly finished: (turn: Turn) => void;
};

/** What one tick made of the state before it. */
export type Turn = {
  readonly before: FleetState;
  readonly after: FleetState;
  readonly seen: readonly Observation[];
  readonly taken: Taken;
  readonly verdicts: readonly Verdict[];
  readonly actions: readonly Action[];
};

const mistakesMax = 3;

/** The tick, and what holds it together: one after the other, each from the last good state. */
export class Loop {
  readonly #parts: LoopParts;
  #state: FleetState;
  #missed: Missed;
  #mistakes = 0;

  /** `outcomes` are of actions that ended without a daemon to see it. */
  constructor(parts: LoopParts, state: FleetState, outcomes: readonly Outcome[] = []) {
    this.#parts = parts;
    this.#state = state;
    this.#missed = { ...nothing, taken: { ...nothing.taken, outcomes } };
  }

  get state(): FleetState {
    return this.#state;
  }

  /** One tick; false where it failed. A mistake is logged and counted, and changes nothing; the third in a row is thrown. */
  tick(): boolean {
    const { lock, wishes, log } = this.#parts;
    if (!lock.stillHeld()) {
      const words = "Another process holds the fleet's actor lock: this daemon leaves it alone.";
      throw new PdctlError("lock-lost", words, "pdctl status shows who runs the fleet now");
    }
    const asked = wishes.take();
    try {
      this.#turn(asked);
      this.#mistakes = 0;
      return true;
    } catch (error) {
      this.#mistakes += 1;
      log.error({ error, inARow: this.#mistakes }, "a tick failed");
      for (const { answer } of asked) answer(refused("The daemon made a mistake.", "pdctl logs daemon"));
      if (this.#mistakes >= mistakesMax) throw error;
      return false;
    }
  }

  #turn(asked: readonly Waiting[]): void {
    const { poller, supervisor, clock, record, finished } = this.#parts;
    const nowMs = clock.nowMs();
    const view = supervisor.view();
    poller.watch(targetsOf(view));
    // What a tick that failed had taken is not lost: an action has one outcome.
    this.#missed = joined(this.#missed, { seen: poller.take(), taken: supervisor.take() }, this.#state);
    const asks = asked.map(({ wish }) => wish);
    const { answers, ...turn } = turnOf(this.#state, { ...this.#missed, view, nowMs }, { asks, parts: this.#parts });
    record(turn);
    supervisor.begin(turn.actions);
    this.#state = turn.after;
    this.#missed = nothing;
    for (const [index, wished] of answers.entries()) asked[index]?.answer(wished);
    finished(turn);
  }
}

/** What is → what it means → what to do → what we now know. */
function turnOf(
  before: FleetState,
  inputs: Inputs,
  { asks, parts: { config, clock } }: { readonly asks: readonly Wish[]; readonly parts: LoopParts },
): Turn & { readonly answers: readonly Wished[] } {
  const { nowMs, taken, seen } = inputs;
  const remembered = remember(before, inputs);
  const verdicts = judge({ history: remembered.history, policy: config.policy, nowMs });
  const noted = note(remembered.ledger, { verdicts, actions: [], outcomes: taken.outcomes, nowMs });
  const wished = heard({ ...remembered, ledger: noted }, asks, { verdicts, config, nowMs });
  const planned = plan(situationOf(wished.state, { verdicts, config, nowMs }));
  const state = withActions(wished.state, { actions: planned, verdicts, nowMs });
  const actions = [...wished.actions, ...planned];
  const rise = risen(before.rise, state.rise, verdicts);
  const after = advance(
    { ...state, rise },
    { verdicts, actions, outcomes: taken.outcomes, nowMs, wallMs: clock.wallMs() },
  );
  return { before, after, seen: [...seen, ...taken.seen], taken, verdicts, actions, answers: wished.answers };
}

type Advance = {
  readonly verdicts: readonly Verdict[];
  readonly actions: readonly Action[];
  readonly outcomes: readonly Outcome[];
  readonly nowMs: number;
  readonly wallMs: number;
};

function advance(state: FleetState, turn: Advance): FleetState {
  const isWanted = state.desired.wish === "up";
  return { ...state, verdicts: turn.verdicts, book: turned(state.book, { ...turn, isWanted }) };
}

type Missed = { readonly seen: readonly Observation[]; readonly taken: Taken };

const nothing: Missed = { seen: [], taken: { outcomes: [], seen: [], words: [] } };

function joined(before: Missed, now: Missed, { actions }: FleetState): Missed {
  const outcomes = new Map<string, Outcome>();
  // An action has one outcome: the first.
  for (const one of [...before.taken.outcomes, ...now.taken.outcomes]) {
    if (!outcomes.has(one.actionId) && actions.get(one.actionId)?.outcome === undefined)
      outcomes.set(one.actionId, one);
  }
  return {
    seen: [...before.seen, ...now.seen],
    taken: {
      outcomes: [...outcomes.values()],
      seen: [...before.taken.seen, ...now.taken.seen],
      words: [...before.taken.words, ...now.taken.words],
    },
  };
}
