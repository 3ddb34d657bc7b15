import type { Action, ActionName, OutcomeName } from "../../contract/action.ts";

/** One step of the ladder that was taken because of a verdict. */
export type Rung = {
  /** What it was taken for: "edge P:D" or "engine NAME". */
  readonly place: string;
  readonly actionId: string;
  readonly action: ActionName;
  readonly plannedMs: number;
  readonly settleMs: number;
  readonly requests: readonly string[];
  readonly outcome?: OutcomeName;
  readonly outcomeMs?: number;
};

/** One start of an engine, and how long it had been healthy before. Starts by hand are none. */
export type StartNote = {
  readonly atMs: number;
  readonly healthyMs: number;
  /** How often in a row it was tried and nothing ran, so that there was nothing that could crash. */
  readonly vain?: number;
};

export type HealthyTime = { readonly sinceMs: number; readonly untilMs: number; readonly over: boolean };

/** What was done and when: all that planning remembers. Plain data, so that the journal can keep it. */
export type Ledger = {
  /** The number in the latest id. */
  readonly planned: number;
  /** Actions without an outcome yet, by id. */
  readonly open: Readonly<Record<string, Action>>;
  /** The oldest first. */
  readonly rungs: readonly Rung[];
  /** By name of the engine or router; the oldest first. */
  readonly starts: Readonly<Record<string, readonly StartNote[]>>;
  /** By name: the latest time in which it was healthy all along. */
  readonly healthy: Readonly<Record<string, HealthyTime>>;
  readonly coRestartsMs: readonly number[];
  /** By subject of the edge: when the latest canary was planned. */
  readonly canariesMs: Readonly<Record<string, number>>;
  /** What people have been told and need not be told again, and when. */
  readonly told: Readonly<Record<string, number>>;
};

export function emptyLedger(): Ledger {
  return { planned: 0, open: {}, rungs: [], starts: {}, healthy: {}, coRestartsMs: [], canariesMs: {}, told: {} };
}
