import type { Action, ActionView, Outcome } from "../contract/action.ts";
import type { FleetConfig } from "../contract/config.ts";
import type { EdgeLine, FleetLine, Observation, Sample } from "../contract/observation.ts";
import type { Verdict } from "../contract/verdict.ts";
import { emptyHistory, type History } from "./detector/history.ts";
import { see } from "./detector/see.ts";
import { emptyLedger, type Ledger } from "./healer/ledger.ts";
import { note } from "./healer/note.ts";
import type { Situation } from "./healer/situation.ts";
import { emptyBook, type IncidentBook } from "./incident-book.ts";
import type { ProcessEntry } from "./supervisor/process-table.ts";
import type { SupervisorView, Taken } from "./supervisor/supervisor.ts";

export type Desired = Situation["desired"];

/** How far the wish that the fleet is up has come. */
export type Rise = { readonly kind: "rising" | "served" } | { readonly kind: "failed"; readonly words: string };

/** Everything the daemon knows. Only the loop replaces it, once a tick. */
export type FleetState = {
  readonly history: History;
  readonly ledger: Ledger;
  readonly desired: Desired;
  readonly rise: Rise;
  readonly view: SupervisorView;
  readonly verdicts: readonly Verdict[];
  readonly book: IncidentBook;
  /** The latest ones, by id. */
  readonly actions: ReadonlyMap<string, ActionView>;
  /** The newest of each engine and of the router. */
  readonly samples: ReadonlyMap<string, Sample>;
  /** The newest of each edge, by P:D. */
  readonly edges: ReadonlyMap<string, EdgeLine>;
  /** Until when fewer actions are allowed, and why. */
  readonly restricted: { readonly words: string; readonly untilMs: number } | undefined;
  /** When this tick began; undefined before the first one. */
  readonly tickMs: number | undefined;
};

/** What reaches the loop in one tick. */
export type Inputs = {
  readonly view: SupervisorView;
  readonly taken: Taken;
  readonly seen: readonly Observation[];
  readonly nowMs: number;
};

const actionsMax = 1_000;

export type Beginning = Pick<FleetState, "view" | "desired" | "restricted"> & {
  readonly fleetLine: FleetLine;
  readonly ledger?: Ledger;
  readonly book?: IncidentBook;
  readonly actions?: readonly ActionView[];
};

/** The state before the first tick. */
export function beginning({ fleetLine, ledger, book, actions = [], ...rest }: Beginning): FleetState {
  return {
    ...rest,
    history: emptyHistory(fleetLine),
    ledger: ledger ?? emptyLedger(),
    rise: { kind: "rising" },
    verdicts: [],
    book: book ?? emptyBook,
    actions: new Map(actions.map((one) => [one.action.id, one])),
    samples: new Map(),
    edges: new Map(),
    tickMs: undefined,
  };
}

/** What is: the state with everything that was seen and has ended. */
export function remember(before: FleetState, { view, taken, seen, nowMs }: Inputs): FleetState {
  const all = [...seen, ...taken.seen];
  return {
    ...before,
    view,
    history: see(before.history, all, nowMs),
    samples: newest(before.samples, all, view.processes),
    edges: newestEdges(before.edges, all),
    actions: withOutcomes(before.actions, taken.outcomes),
    rise: riseOf(before, view, taken.outcomes),
    restricted: before.restricted !== undefined && nowMs < before.restricted.untilMs ? before.restricted : undefined,
    tickMs: nowMs,
  };
}

/** What healing is planned from. */
export function situationOf(
  { desired, view, ledger, restricted }: FleetState,
  {
    verdicts,
    config,
    nowMs,
  }: { readonly verdicts: readonly Verdict[]; readonly config: FleetConfig; readonly nowMs: number },
): Situation {
  return {
    verdicts,
    desired,
    processes: view.processes.map(({ spec: { name, role, driver }, state, generation, sinceMs, busy }) => ({
      ...{ name, role, driver, state, generation, sinceMs, busy },
      attached: false,
    })),
    serves: view.serves,
    epoch: view.epoch,
    ledger,
    policy: config.policy,
    canary: config.canary,
    ...(restricted === undefined ? {} : { restricted: restricted.words }),
    nowMs,
  };
}

/** The state with actions that are about to begin. */
export function withActions(
  state: FleetState,
  {
    actions,
    verdicts,
    nowMs,
  }: { readonly actions: readonly Action[]; readonly verdicts: readonly Verdict[]; readonly nowMs: number },
): FleetState {
  if (actions.length === 0) return state;
  const all = [...state.actions, ...actions.map((action) => [action.id, { action }] as const)];
  const isAnew =
    state.rise.kind === "failed" && actions.some(({ action, target }) => action === "start" && target === "fleet");
  return {
    ...state,
    ...(isAnew ? { rise: { kind: "rising" } } : {}),
    ledger: note(state.ledger, { verdicts, actions, outcomes: [], nowMs }),
    actions: new Map(all.slice(-actionsMax)),
  };
}

function withOutcomes(actions: FleetState["actions"], outcomes: readonly Outcome[]): FleetState["actions"] {
  if (outcomes.length === 0) return actions;
  const next = new Map(actions);
  for (const outcome of outcomes) {
    const found = next.get(outcome.actionId);
    // The first one counts.
    if (found !== undefined && found.outcome === undefined) next.set(outcome.actionId, { ...found, outcome });
  }
  return next;
}

// A start that failed stays told until the fleet serves, or is started anew.
function riseOf({ rise, actions }: FleetState, { serves }: SupervisorView, outcomes: readonly Outcome[]): Rise {
  if (serves) return rise.kind === "served" ? rise : { kind: "served" };
  const failed = outcomes.find(({ actionId, outcome }) => {
    const action = actions.get(actionId)?.action;
    return outcome === "failed" && action?.action === "start" && action.target === "fleet";
  });
  if (failed === undefined || rise.kind === "served") return rise;
  return { kind: "failed", words: [failed.words, ...failed.details].join("\n") };
}

/** A fleet has risen once its verdicts agree: who asks right after `up` is told the same by everything. */
export function risen(before: Rise, now: Rise, verdicts: readonly Verdict[]): Rise {
  const isFirst = now.kind === "served" && before.kind !== "served";
  return isFirst && verdicts.some(({ verdict }) => verdict === "starting") ? before : now;
}

function newest(
  before: ReadonlyMap<string, Sample>,
  seen: readonly Observation[],
  processes: readonly ProcessEntry[],
): ReadonlyMap<string, Sample> {
  const names = new Set(processes.map(({ spec }) => spec.name));
  const samples = seen.flatMap((one) => (one.kind === "sample" ? [[one.id, one] as const] : []));
  return new Map([...before, ...samples].filter(([name]) => names.has(name)));
}

function newestEdges(
  before: ReadonlyMap<string, EdgeLine>,
  seen: readonly Observation[],
): ReadonlyMap<string, EdgeLine> {
  const edges = seen.flatMap((one) => (one.kind === "edge" ? [[`${one.prefill}:${one.decode}`, one] as const] : []));
  return edges.length === 0 ? before : new Map([...before, ...edges]);
}
