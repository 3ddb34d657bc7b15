import type { Action, Outcome } from "../../../../src/contract/action.ts";
import { fleetConfigSchema } from "../../../../src/contract/config.ts";
import type { Verdict } from "../../../../src/contract/verdict.ts";
import { emptyLedger, type Ledger } from "../../../../src/daemon/healer/ledger.ts";
import { note } from "../../../../src/daemon/healer/note.ts";
import { plan } from "../../../../src/daemon/healer/plan.ts";
import type { ProcessFact, Situation } from "../../../../src/daemon/healer/situation.ts";

export const usual = fleetConfigSchema.parse({ canary: { every: "off" } });

export function fact(name: string, role: ProcessFact["role"], more: Partial<ProcessFact> = {}): ProcessFact {
  const driver = role === "router" ? "embedded" : "native";
  return { name, role, driver, state: "ready", generation: 1, sinceMs: 0, attached: false, busy: false, ...more };
}

export const pair = [fact("p", "prefill"), fact("d", "decode"), fact("router", "router")];

export function situation(more: Partial<Situation> = {}): Situation {
  return {
    verdicts: [],
    desired: { wish: "up", drainMs: 30_000, now: false },
    processes: pair,
    serves: true,
    epoch: 4,
    ledger: emptyLedger(),
    policy: usual.policy,
    canary: usual.canary,
    nowMs: 100_000,
    ...more,
  };
}

export function verdict(more: Partial<Verdict> = {}): Verdict {
  return {
    subject: "request r1",
    verdict: "wedge",
    cause: "transfer-stall",
    sinceMs: 40_000,
    evidence: ["it stands still"],
    ruledOut: [],
    sure: "high",
    moving: false,
    fresh: true,
    requests: ["r1"],
    engines: ["p", "d"],
    ...more,
  };
}

export function done(action: Action, atMs: number, outcome: Outcome["outcome"] = "done"): Outcome {
  return { actionId: action.id, outcome, atMs, words: "", details: [] };
}

/** Plays ticks: each plans, and what is planned ends at once without an effect, or as `ends` says. */
export class Healing {
  ledger: Ledger = emptyLedger();
  readonly planned: string[] = [];
  readonly actions: Action[] = [];

  tick(nowMs: number, more: Partial<Situation> = {}, ends: Outcome["outcome"] | "open" = "done"): readonly Action[] {
    const { verdicts = [] } = more;
    const actions = plan(situation({ ...more, nowMs, ledger: this.ledger }));
    this.ledger = note(this.ledger, { verdicts, actions, outcomes: [], nowMs });
    const outcomes = ends === "open" ? [] : actions.map((action) => done(action, nowMs, ends));
    this.ledger = note(this.ledger, { verdicts, actions: [], outcomes, nowMs });
    this.planned.push(...actions.map(({ action, target }) => `${nowMs / 1_000} ${action} ${target}`));
    this.actions.push(...actions);
    return actions;
  }
}
