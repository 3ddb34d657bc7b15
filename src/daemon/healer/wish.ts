import { backoffMs, mayStart, startsOf, vainMs } from "./budget.ts";
import type { Draft } from "./draft.ts";
import { enginesAtWork, openTargets, settling } from "./open.ts";
import type { ProcessFact, Situation } from "./situation.ts";
import { toldKey } from "./told.ts";

/** What the wish takes: everything started, what has failed started again within the budget, or everything ended. */
export function wishDrafts(situation: Situation): readonly Draft[] {
  switch (situation.desired.wish) {
    case "maintenance":
      return [];
    case "down":
      return stopFleet(situation);
    case "up":
      if (settling(situation)) return [];
      return startFleet(situation) ?? ownProcesses(situation).flatMap((process) => startAgain(process, situation));
  }
}

function ownProcesses({ processes }: Situation): readonly ProcessFact[] {
  return processes.filter(({ attached }) => !attached);
}

function stopFleet(situation: Situation): readonly Draft[] {
  const { drainMs, now } = situation.desired;
  if (ownProcesses(situation).every(({ state }) => state === "stopped")) return [];
  const stopping = Object.values(situation.ledger.open).filter(({ action }) => action === "stop");
  // A second wish may only make it faster.
  if (stopping.some((action) => action.now === true || !now)) return [];
  return [
    {
      action: "stop",
      target: "fleet",
      by: "wish",
      why: "the fleet is wanted down",
      effect: "no process of the fleet is left",
      settleMs: 0,
      drainMs,
      now,
    },
  ];
}

/** Undefined where something of it has been started already. */
function startFleet(situation: Situation): readonly Draft[] | undefined {
  const processes = ownProcesses(situation);
  if (processes.length === 0 || processes.some(({ state }) => state !== "stopped")) return undefined;
  if (processes.some(({ busy }) => busy)) return [];
  if (!mayStart("fleet", situation)) return exhausted("fleet", "fleet", situation);
  const sinceMs = Math.max(vainMs("fleet", situation), ...processes.map((process) => process.sinceMs));
  const isAgain = startsOf("fleet", situation) > 0 || vainMs("fleet", situation) > Number.NEGATIVE_INFINITY;
  if (isAgain && situation.nowMs - sinceMs < backoffMs("fleet", situation)) return [];
  return [
    {
      action: "start",
      target: "fleet",
      by: "wish",
      why: "the fleet is wanted up and nothing of it runs",
      effect: "a request goes through every part of the fleet",
      settleMs: 0,
    },
  ];
}

function startAgain(process: ProcessFact, situation: Situation): readonly Draft[] {
  const { name, role, state, busy, sinceMs } = process;
  const target = role === "router" ? "router" : (`engine ${name}` as const);
  if ((state !== "failed" && state !== "stopped") || busy || openTargets(situation).has(target)) return [];
  if (enginesAtWork(situation).has(name)) return [];
  const counted = role === "router" ? "router" : name;
  if (!mayStart(counted, situation)) return exhausted(target, counted, situation);
  const restsMs = situation.nowMs - Math.max(sinceMs, vainMs(counted, situation));
  if (restsMs < backoffMs(counted, situation)) return [];
  const started = startsOf(counted, situation);
  return [
    {
      action: "start",
      target,
      generation: process.generation,
      by: "wish",
      why: `it is ${state} and the fleet is wanted up; start ${started + 1} of ${situation.policy.restarts.max}`,
      effect: "it is ready and a request goes through it",
      settleMs: 0,
    },
  ];
}

function exhausted(
  target: "fleet" | "router" | `engine ${string}`,
  counted: string,
  situation: Situation,
): readonly Draft[] {
  if (situation.ledger.told[toldKey({ target })] !== undefined) return [];
  const starts = startsOf(counted, situation);
  return [
    {
      action: "notify",
      target,
      by: "wish",
      why: `it was started ${starts} times without being stable for ${situation.policy.restarts["reset-after"] / 1_000} s: it stays as it is until somebody restarts it`,
      effect: "somebody knows",
      settleMs: 0,
    },
  ];
}
