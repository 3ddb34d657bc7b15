import { expect, test } from "vitest";
import { fleetConfigSchema } from "../../../../src/contract/config.ts";
import { startsOf } from "../../../../src/daemon/healer/budget.ts";
import { note } from "../../../../src/daemon/healer/note.ts";
import { plan } from "../../../../src/daemon/healer/plan.ts";
import type { ProcessFact, Situation } from "../../../../src/daemon/healer/situation.ts";
import { fact, Healing, pair, situation, usual, verdict } from "./support.ts";

const all = (state: ProcessFact["state"]): ProcessFact[] => pair.map((one) => ({ ...one, state }));
const planned = (more: Partial<Situation>) => plan(situation(more)).map(({ action, target }) => `${action} ${target}`);

test("a fleet of which nothing runs is started in one operation, once", () => {
  const healing = new Healing();
  healing.tick(1_000, { processes: all("stopped") }, "open");
  healing.tick(2_000, { processes: all("stopped") }, "open");
  expect(healing.planned).toEqual(["1 start fleet"]);
});

test("a crash is followed by starts after 1, 2, 4, 8 and 16 s, and then by a word to somebody", () => {
  const healing = new Healing();
  let failedMs = 0;
  for (let nowMs = 0; nowMs < 120_000; nowMs += 100) {
    const processes = pair.map((one) =>
      one.name === "d" ? { ...one, state: "failed" as const, sinceMs: failedMs } : one,
    );
    if (healing.tick(nowMs, { processes }).some(({ action }) => action === "start")) failedMs = nowMs + 300;
  }
  expect(healing.planned).toEqual([
    "1 start engine d",
    "3.3 start engine d",
    "7.6 start engine d",
    "15.9 start engine d",
    "32.2 start engine d",
    "32.3 notify engine d",
  ]);
});

test("a fleet whose start fails is started again with pauses, and given up after five", () => {
  const healing = new Healing();
  let stoppedMs = 0;
  for (let nowMs = 0; nowMs < 200_000; nowMs += 1_000) {
    const processes = all("stopped").map((one) => ({ ...one, sinceMs: stoppedMs }));
    if (healing.tick(nowMs, { processes }).some(({ action }) => action === "start")) stoppedMs = nowMs;
  }
  expect(healing.planned).toEqual([
    ...["0 start fleet", "2 start fleet", "6 start fleet", "14 start fleet", "30 start fleet", "31 notify fleet"],
  ]);
});

test("five minutes of health fill the budget again", () => {
  const healing = new Healing();
  const failed = pair.map((one) => (one.name === "d" ? { ...one, state: "failed" as const, sinceMs: 0 } : one));
  for (const s of [10, 20, 40]) healing.tick(s * 1_000, { processes: failed });
  expect(startsOf("d", { ledger: healing.ledger, policy: usual.policy })).toBe(3);
  const well = verdict({ subject: "engine d", verdict: "idle", engines: ["d"], requests: [] });
  for (let s = 50; s <= 351; s += 10) healing.tick(s * 1_000, { verdicts: [well] });
  expect(startsOf("d", { ledger: healing.ledger, policy: usual.policy })).toBe(0);
});

test("a child that ended is started again whatever verdicts may lead to", () => {
  const policy = { ...usual.policy, act: [] };
  const processes = pair.map((one) => (one.role === "router" ? { ...one, state: "failed" as const } : one));
  expect(planned({ processes, policy })).toEqual(["start router"]);
});

test("what an operation holds is left to it", () => {
  const processes = pair.map((one) => ({ ...one, state: "failed" as const, busy: true }));
  expect(planned({ processes })).toEqual([]);
});

test("the wish down ends the fleet once, and once more when it is to be faster", () => {
  const healing = new Healing();
  const down = (now: boolean) => ({ desired: { wish: "down" as const, drainMs: 30_000, now } });
  healing.tick(1_000, down(false), "open");
  healing.tick(2_000, down(false), "open");
  healing.tick(3_000, down(true), "open");
  healing.tick(4_000, down(true), "open");
  healing.tick(5_000, { ...down(true), processes: all("stopped") }, "open");
  expect(healing.actions.map(({ action, drainMs, now }) => ({ action, drainMs, now }))).toEqual([
    { action: "stop", drainMs: 30_000, now: false },
    { action: "stop", drainMs: 30_000, now: true },
  ]);
});

test("engines with a url are neither started nor stopped", () => {
  const processes = [
    fact("p", "prefill", { attached: true, state: "failed" }),
    fact("d", "decode", { attached: true }),
  ];
  expect(planned({ processes })).toEqual([]);
  expect(planned({ processes, desired: { wish: "down", drainMs: 0, now: false } })).toEqual([]);
});

const { canary } = fleetConfigSchema.parse({ canary: { every: "60s" } });

test("a canary goes through each edge in its time, one at most, and none into what is stuck", () => {
  const healing = new Healing();
  const processes = [...pair, fact("d2", "decode")];
  const stuck = verdict({ engines: ["p", "d"], verdict: "suspect", cause: "no-progress" });
  const aside = { subject: "edge p:d2", verdict: "suspect", cause: "secondary" } as const;
  healing.tick(61_000, { processes, canary }, "open");
  healing.tick(130_000, { processes, canary }, "open");
  expect(healing.planned).toEqual(["61 canary edge p:d", "61 canary edge p:d2"]);
  expect(planned({ processes, canary, verdicts: [stuck] })).toEqual([]);
  expect(planned({ processes, canary, verdicts: [verdict(aside)] })).toEqual(["canary edge p:d"]);
  // Only a canary takes a pair off probation.
  const proving = { ...aside, cause: "probation" } as const;
  expect(planned({ processes, canary, verdicts: [verdict(proving)] })).toContain("canary edge p:d2");
});

test("an engine that has just come up is tried at once, also where canaries are off", () => {
  const starting = verdict({ subject: "engine d", verdict: "starting", engines: ["d"], requests: [] });
  expect(planned({ verdicts: [starting] })).toEqual(["canary edge p:d"]);
});

test("ids count on, over actions that people asked for, too", () => {
  const [first] = plan(situation({ verdicts: [verdict()] }));
  const asked = { ...first, id: "a7", by: "operator" } as NonNullable<typeof first>;
  const ledger = note(situation().ledger, { verdicts: [], actions: [asked], outcomes: [], nowMs: 1 });
  expect(plan(situation({ verdicts: [verdict()], ledger }))[0]?.id).toBe("a8");
});

test("the ledger is plain data", () => {
  const healing = new Healing();
  healing.tick(100_000, { verdicts: [verdict()] });
  expect(JSON.parse(JSON.stringify(healing.ledger))).toEqual(healing.ledger);
});
