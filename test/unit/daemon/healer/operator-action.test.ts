import { expect, test } from "vitest";
import type { Wish } from "../../../../src/contract/wishes.ts";
import { operatorAction } from "../../../../src/daemon/healer/operator-action.ts";
import { isRefused, type Situation } from "../../../../src/daemon/healer/situation.ts";
import { fact, pair, situation } from "./support.ts";

const restart = (more: object = {}): Wish => ({ kind: "restart", engine: "d", force: false, ...more });
const coRestart = (more: object = {}): Wish => ({
  kind: "co-restart",
  engines: ["d"],
  all: false,
  force: false,
  ...more,
});

function answer(wish: Wish, more: Partial<Situation> = {}): unknown {
  const given = operatorAction(wish, situation(more));
  return isRefused(given) ? given.words : `${given.action} ${given.target} ${given.engines?.join(" ") ?? ""}`.trim();
}

const spent = Array.from({ length: 5 }, (_, index) => ({ atMs: index, healthyMs: 0 }));
const noBudget = { ledger: { ...situation().ledger, starts: { d: spent }, coRestartsMs: [99_000, 99_500] } };

test.each([
  { wish: { kind: "fail", request: "r1", why: "no use" } as const, gives: "fail request r1" },
  { wish: restart(), gives: "restart engine d" },
  { wish: restart({ engine: "router" }), gives: "restart router" },
  { wish: coRestart(), gives: "co-restart edge p:d p d" },
  { wish: coRestart({ all: true }), gives: "co-restart fleet p d" },
  { wish: { kind: "drain", engine: "d", drainMs: 1, force: true } as const, gives: "drain engine d" },
  { wish: { kind: "resume", engine: "d" } as const, gives: "resume engine d" },
  { wish: { kind: "stop", drainMs: 1, now: true } as const, gives: "stop fleet" },
])("$wish.kind by hand is $gives", ({ wish, gives }) => {
  expect(answer(wish)).toBe(gives);
});

test("a budget that is used up refuses, and force goes beyond it", () => {
  expect(answer(restart(), noBudget)).toBe(
    "d has used up its restarts since it was last stable (policy.restarts.max: 5).",
  );
  expect(answer(restart({ force: true }), noBudget)).toBe("restart engine d");
  expect(answer(coRestart(), noBudget)).toBe("The co-restarts are used up (policy.co-restarts: 2 in 60 minutes).");
  expect(answer(coRestart({ force: true }), noBudget)).toBe("co-restart edge p:d p d");
});

test.each([
  { words: "an engine that there is none of", wish: restart({ engine: "x" }), more: {}, gives: "no engine x" },
  {
    words: "an engine that runs elsewhere",
    wish: restart(),
    more: { processes: [fact("d", "decode", { attached: true })] },
    gives: "runs elsewhere",
  },
  {
    words: "an engine at work",
    wish: restart(),
    more: { processes: pair.map((one) => ({ ...one, busy: true })) },
    gives: "done to d already",
  },
  {
    words: "a fleet that goes down",
    wish: coRestart(),
    more: { desired: { wish: "down", drainMs: 0, now: false } },
    gives: "going down",
  },
  {
    words: "a drain of the last one",
    wish: { kind: "drain", engine: "d", drainMs: 1, force: false },
    more: {},
    gives: "No other decode",
  },
] as const)("refused: $words", ({ wish, more, gives }) => {
  expect(answer(wish, more as Partial<Situation>)).toContain(gives);
});
