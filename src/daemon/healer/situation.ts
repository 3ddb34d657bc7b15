import type { FleetConfig } from "../../contract/config.ts";
import type { ProcessState } from "../../contract/fleet.ts";
import type { Verdict } from "../../contract/verdict.ts";
import type { Ledger } from "./ledger.ts";

export type Policy = FleetConfig["policy"];

/** What the supervisor knows of one engine or of the router. */
export type ProcessFact = {
  readonly name: string;
  readonly role: "prefill" | "decode" | "both" | "router";
  readonly driver: string;
  readonly state: ProcessState;
  readonly generation: number;
  /** Since when it is in that state. */
  readonly sinceMs: number;
  /** Watched by its URL: never launched from here. */
  readonly attached: boolean;
  /** Attached, and there are commands that stop and start it. */
  readonly control?: boolean;
  /** An operation works on it. */
  readonly busy: boolean;
};

/** Everything that planning looks at. */
export type Situation = {
  readonly verdicts: readonly Verdict[];
  readonly desired: { readonly wish: "up" | "down" | "maintenance"; readonly drainMs: number; readonly now: boolean };
  readonly processes: readonly ProcessFact[];
  /** The router takes requests and an edge is ready. */
  readonly serves: boolean;
  readonly epoch: number;
  readonly ledger: Ledger;
  readonly policy: Policy;
  readonly canary: FleetConfig["canary"];
  /** Why only fail and notify are allowed, where that is so. */
  readonly restricted?: string;
  readonly nowMs: number;
};

/** Why something that a person asked for is not done, and what to try. */
export type Refused = { readonly kind: "refused"; readonly words: string; readonly tryThis: string };

export function isRefused(answer: object): answer is Refused {
  return "kind" in answer && answer.kind === "refused";
}
