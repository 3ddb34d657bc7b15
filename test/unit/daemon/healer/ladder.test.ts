import { expect, test } from "vitest";
import type { Verdict } from "../../../../src/contract/verdict.ts";
import { plan } from "../../../../src/daemon/healer/plan.ts";
import type { Situation } from "../../../../src/daemon/healer/situation.ts";
import { fact, Healing, pair, situation, usual, verdict } from "./support.ts";

const withAct = (act: NonNullable<Situation["policy"]["act"]>) => ({ ...usual.policy, act });
const planned = (more: Partial<Situation>) => plan(situation(more)).map(({ action, target }) => `${action} ${target}`);

test("an action says why, what should come of it, how long that may take, and what is next", () => {
  const [action] = plan(situation({ verdicts: [verdict()] }));
  expect(action).toMatchObject({
    ...{ id: "a1", action: "fail", target: "request r1", epoch: 4, by: "healer", settleMs: 5_000, next: "co-restart" },
    ...{ requests: ["r1"], effect: "no engine holds it any more" },
    why: "request r1 is wedge (transfer-stall); it stands still",
    verdict: { subject: "request r1", verdict: "wedge", cause: "transfer-stall" },
  });
});

test("the next step waits for the settle time of the last one", () => {
  const healing = new Healing();
  for (const s of [100, 103, 104.9, 105, 106, 110]) healing.tick(s * 1_000, { verdicts: [verdict()] });
  expect(healing.planned).toEqual(["100 fail request r1", "105 co-restart edge p:d", "110 notify request r1"]);
});

test("nothing is planned again while an action is open", () => {
  const healing = new Healing();
  for (const s of [100, 101, 160]) healing.tick(s * 1_000, { verdicts: [verdict()] }, "open");
  expect(healing.planned).toEqual(["100 fail request r1"]);
});

test("SGLang has 35 s to show an effect", () => {
  const processes = pair.map((one) => (one.role === "router" ? one : { ...one, driver: "sglang" }));
  const healing = new Healing();
  for (const s of [100, 130, 135]) healing.tick(s * 1_000, { verdicts: [verdict()], processes });
  expect(healing.planned).toEqual(["100 fail request r1", "135 co-restart edge p:d"]);
});

test("the same pair wedged again within ten minutes goes on where the ladder stood", () => {
  const healing = new Healing();
  healing.tick(100_000, { verdicts: [verdict()] });
  healing.tick(110_000, {});
  healing.tick(400_000, { verdicts: [verdict({ subject: "request r2", requests: ["r2"], sinceMs: 340_000 })] });
  expect(healing.planned).toEqual(["100 fail request r1", "400 co-restart edge p:d"]);
});

test("after ten minutes it begins at the bottom", () => {
  const healing = new Healing();
  healing.tick(100_000, { verdicts: [verdict()] });
  healing.tick(800_000, { verdicts: [verdict({ subject: "request r2", requests: ["r2"], sinceMs: 740_000 })] });
  expect(healing.planned.at(-1)).toBe("800 fail request r2");
});

test("a request that was stuck before another one was failed is failed itself first", () => {
  const second = verdict({ subject: "request r2", requests: ["r2"], sinceMs: 41_000 });
  const healing = new Healing();
  healing.tick(100_000, { verdicts: [verdict()] });
  healing.tick(101_000, { verdicts: [second] });
  healing.tick(106_000, { verdicts: [second] });
  expect(healing.planned).toEqual(["100 fail request r1", "101 fail request r2", "106 co-restart edge p:d"]);
});

test("a pair that goes on to pin what comes is not failed for ever", () => {
  const at = (id: string, sinceS: number) =>
    verdict({ subject: `request ${id}`, requests: [id], sinceMs: sinceS * 1_000 });
  const healing = new Healing();
  healing.tick(60_000, { verdicts: [at("r1", 0)] });
  healing.tick(90_000, { verdicts: [at("r2", 30)] });
  healing.tick(121_000, { verdicts: [at("r3", 61)] });
  expect(healing.planned).toEqual(["60 fail request r1", "90 fail request r2", "121 co-restart edge p:d"]);
});

test("a stale action is planned again, not left behind", () => {
  const healing = new Healing();
  healing.tick(100_000, { verdicts: [verdict()] }, "stale");
  healing.tick(106_000, { verdicts: [verdict()] });
  expect(healing.planned).toEqual(["100 fail request r1", "106 fail request r1"]);
});

test("with another edge the broken one is taken out before anything is restarted", () => {
  const processes = [...pair, fact("d2", "decode")];
  const healing = new Healing();
  for (const s of [100, 105, 110]) healing.tick(s * 1_000, { verdicts: [verdict()], processes });
  expect(healing.planned).toEqual(["100 fail request r1", "105 quarantine edge p:d", "110 co-restart edge p:d"]);
});

test("one stuck request beside moving ones is never more than failed", () => {
  const healing = new Healing();
  for (const s of [100, 105, 200]) healing.tick(s * 1_000, { verdicts: [verdict({ moving: true })] });
  expect(healing.planned).toEqual(["100 fail request r1", "105 notify request r1"]);
});

test("each stuck request is failed beside moving ones, however many come", () => {
  const healing = new Healing();
  for (const n of [1, 2, 3]) {
    const one = verdict({ subject: `request r${n}`, requests: [`r${n}`], moving: true, sinceMs: n * 100_000 - 60_000 });
    healing.tick(n * 100_000, { verdicts: [one] });
  }
  expect(healing.planned).toEqual(["100 fail request r1", "200 fail request r2", "300 fail request r3"]);
});

test("where only fail is allowed each stuck request is failed, and one that stays is told", () => {
  const healing = new Healing();
  const policy = withAct(["fail"]);
  const second = verdict({ subject: "request r2", requests: ["r2"], sinceMs: 140_000 });
  healing.tick(100_000, { verdicts: [verdict()], policy });
  healing.tick(110_000, { verdicts: [verdict()], policy });
  healing.tick(200_000, { verdicts: [verdict(), second], policy });
  expect(healing.planned).toEqual(["100 fail request r1", "110 notify request r1", "200 fail request r2"]);
});

test("an engine that hangs again is restarted again, as long as its budget lasts", () => {
  const healing = new Healing();
  const policy = { ...withAct(["restart"]), restarts: { ...usual.policy.restarts, max: 2 } };
  for (const s of [100, 200, 300]) {
    healing.tick(s * 1_000, { verdicts: [verdict({ ...hang, sinceMs: s * 1_000 - 60_000 })], policy });
  }
  expect(healing.planned).toEqual(["100 restart engine d", "200 restart engine d", "300 notify engine d"]);
});

const hang: Partial<Verdict> = { subject: "engine d", cause: "loop-hang", engines: ["d"], requests: [], guilty: "d" };

test.each([
  { words: "only watching", act: [], of: {}, gives: ["notify request r1"] },
  { words: "co-restart only", act: ["co-restart"], of: {}, gives: ["co-restart edge p:d"] },
  { words: "restart only, nobody guilty", act: ["restart"], of: {}, gives: ["notify request r1"] },
  { words: "restart only, one guilty", act: ["restart"], of: hang, gives: ["restart engine d"] },
  { words: "fail only, a hang", act: ["fail"], of: hang, gives: ["notify engine d"] },
] as const)("act binds: $words", ({ act, of, gives }) => {
  expect(planned({ verdicts: [verdict(of)], policy: withAct([...act]) })).toEqual(gives);
});

test.each([
  { words: "an old sample", more: { fresh: false } },
  { words: "a suspicion", more: { verdict: "suspect", cause: "no-progress" } },
  { words: "a consequence", more: { verdict: "suspect", cause: "secondary" } },
] as const)("$words leads to nothing", ({ more }) => {
  expect(planned({ verdicts: [verdict(more)] })).toEqual([]);
});

test("what is unknown is told once it has lasted, and nothing is done", () => {
  const unknown = verdict({
    subject: "engine p",
    verdict: "unknown",
    cause: "no-data",
    fresh: false,
    requests: [],
    engines: ["p"],
  });
  const healing = new Healing();
  for (const s of [60, 99, 100, 101, 300]) healing.tick(s * 1_000, { verdicts: [unknown] });
  expect(healing.planned).toEqual(["100 notify engine p"]);
});

test("while things are restricted only fail and notify are left", () => {
  const restricted = "the journal could not be read";
  expect(planned({ verdicts: [verdict()], restricted })).toEqual(["fail request r1"]);
  expect(planned({ verdicts: [verdict(hang)], restricted })).toEqual(["notify engine d"]);
});

test.each(["down", "maintenance"] as const)("with the wish %s no verdict leads to anything", (wish) => {
  const desired = { wish, drainMs: 0, now: false };
  const processes = pair.map((one) => ({ ...one, state: "stopped" as const }));
  expect(planned({ verdicts: [verdict()], desired, processes })).toEqual([]);
});

test("engines that are only watched are failed in, and people are told what to restart", () => {
  const processes = pair.map((one) => ({ ...one, attached: true }));
  expect(planned({ verdicts: [verdict()], processes })).toEqual(["fail request r1"]);
  const policy = withAct(["restart", "co-restart"]);
  const [told] = plan(situation({ verdicts: [verdict(hang)], processes, policy }));
  expect(told).toMatchObject({ action: "notify", why: expect.stringContaining("restart d where it runs") });
});

test("a co-restart takes the peers along that hold stuck work with one of the engines", () => {
  const processes = [...pair, fact("p2", "prefill")];
  const other = verdict({ subject: "request r9", verdict: "suspect", cause: "no-progress", engines: ["p2", "d"] });
  const [action] = plan(situation({ verdicts: [verdict(), other], processes, policy: withAct(["co-restart"]) }));
  expect(action).toMatchObject({ action: "co-restart", engines: ["p", "d", "p2"], requests: ["r1"] });
});

test("beyond two co-restarts in an hour somebody is told, once", () => {
  const healing = new Healing();
  for (const minute of [2, 20, 40, 41, 62]) {
    const sinceMs = minute * 60_000 - 60_000;
    healing.tick(minute * 60_000, { verdicts: [verdict({ sinceMs })], policy: withAct(["co-restart"]) });
  }
  expect(healing.planned).toEqual([
    "120 co-restart edge p:d",
    "1200 co-restart edge p:d",
    "2400 notify request r1",
    "3720 co-restart edge p:d",
  ]);
});

test("an engine that has ended is the wish's to start, one that refuses is restarted", () => {
  const down: Partial<Verdict> = { subject: "engine d", verdict: "down", engines: ["d"], requests: [], guilty: "d" };
  const failed = pair.map((one) => (one.name === "d" ? { ...one, state: "failed" as const, sinceMs: 99_900 } : one));
  expect(planned({ verdicts: [verdict({ ...down, cause: "exited" })], processes: failed })).toEqual([]);
  expect(planned({ verdicts: [verdict({ ...down, cause: "refused" })] })).toEqual(["restart engine d"]);
});
