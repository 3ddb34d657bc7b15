import type { Action, OutcomeName } from "../../contract/action.ts";
import type { Observation } from "../../contract/observation.ts";
import type { Door } from "../../drivers/admin.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Places } from "../../lib/places.ts";
import type { FleetPlan } from "./fleet-plan.ts";
import type { IntentStep, Intents } from "./intents.ts";
import type { ProcessKeeper } from "./process-keeper.ts";
import { isThere, type ProcessEntry, type ProcessTable } from "./process-table.ts";
import type { RouterEdges } from "./router-edges.ts";

/** What operations act with. */
export type OperationParts = {
  readonly table: ProcessTable;
  readonly plan: FleetPlan;
  readonly keeper: ProcessKeeper;
  readonly edges: RouterEdges;
  readonly intents: Intents;
  readonly places: Places;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly startTimeoutMs: number;
  /** Progress, for events and for people. */
  readonly say: (subject: string, words: string) => void;
  /** What came up on the way, for the detector. */
  readonly see: (seen: Observation) => void;
  /** One fresh probe of an engine or the router. */
  readonly look: (name: string, signal: AbortSignal) => Promise<Observation | undefined>;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** One Action while it is performed. */
export type Operation = {
  readonly action: Action;
  /** Steps that were intended before a crash; empty where it begins. */
  readonly earlier: readonly IntentStep[];
  /** Calls it off. What it has begun stays as it is. */
  readonly signal: AbortSignal;
  /** Cuts every grace and drain short. */
  readonly now: AbortSignal;
  /** Puts the intent of a step on disk; only then may the step be taken. */
  readonly step: (step: number, words: string, facts?: Pick<IntentStep, "generations" | "epoch">) => void;
};

export type Result = {
  readonly outcome: OutcomeName;
  readonly words: string;
  readonly startedNothing?: boolean;
  readonly details?: readonly string[];
};

export function done(words: string, details: readonly string[] = []): Result {
  return { outcome: "done", words, details };
}

/** Where the control routes of a process are; undefined where it cannot be reached. */
export function doorOf(parts: Pick<OperationParts, "secret">, entry: ProcessEntry): Door | undefined {
  return isThere(entry) && entry.ready !== undefined ? { url: entry.ready.url, secret: parts.secret } : undefined;
}

export function routerDoor(parts: Pick<OperationParts, "secret" | "table">): Door | undefined {
  return parts.table.has("router") ? doorOf(parts, parts.table.get("router")) : undefined;
}

/** Engines of the fleet, as they stand now. */
export function enginesOf({ table }: Pick<OperationParts, "table">): readonly ProcessEntry[] {
  return table.all().filter(({ spec }) => spec.role !== "router");
}
