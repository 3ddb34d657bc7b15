import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/contract/action.ts";
import { entry, serving, stopped, Turning } from "./turning.ts";

function done(actionId: string, more: Partial<Outcome> = {}): Outcome {
  return { actionId, outcome: "done", atMs: 0, words: "as asked", details: [], ...more };
}

test("a fleet that is wanted up and of which nothing runs is started, once", () => {
  const turning = new Turning(stopped);
  turning.tick();
  turning.tick();
  expect(turning.begun.map(({ id, action, target, by }) => ({ id, action, target, by }))).toEqual([
    { id: "a1", action: "start", target: "fleet", by: "wish" },
  ]);
  expect(turning.loop.state.actions.get("a1")?.outcome).toBeUndefined();
});

test("the outcome of an action is on record beside it, and only the first one", () => {
  const turning = new Turning(stopped);
  turning.tick();
  turning.outcomes = [done("a1"), done("a1", { outcome: "failed" })];
  turning.view = serving;
  turning.tick();
  turning.outcomes = [done("a1", { outcome: "failed" })];
  turning.tick();
  expect(turning.loop.state.actions.get("a1")?.outcome).toEqual(done("a1"));
  expect(turning.turns.map(({ taken }) => taken.outcomes.length)).toEqual([0, 1, 0]);
  expect(turning.loop.state.rise).toEqual({ kind: "served" });
});

test("what is to be done is on record before it begins", () => {
  const turning = new Turning(stopped);
  turning.mistake = new Error("the disk is gone");
  expect(turning.tick()).toBe(false);
  expect(turning.begun).toEqual([]);
});

test("a tick that fails changes nothing, and what it had taken is not lost", () => {
  const turning = new Turning(stopped);
  turning.tick();
  const before = turning.loop.state;
  turning.outcomes = [done("a1")];
  turning.mistake = new Error("a bug");
  expect(turning.tick()).toBe(false);
  expect(turning.loop.state).toBe(before);
  turning.mistake = undefined;
  expect(turning.tick()).toBe(true);
  expect(turning.loop.state.actions.get("a1")?.outcome).toEqual(done("a1"));
});

test("the third mistake in a row is thrown; two with a good tick between them are not", () => {
  const turning = new Turning(serving);
  turning.mistake = new Error("a bug");
  turning.tick();
  turning.tick();
  turning.mistake = undefined;
  turning.tick();
  turning.mistake = new Error("another bug");
  turning.tick();
  turning.tick();
  expect(() => turning.tick()).toThrow("another bug");
});

test("a lock in other hands ends it at once, and nothing more begins", () => {
  const turning = new Turning(stopped);
  turning.held = false;
  expect(() => turning.tick()).toThrow(/actor lock/);
  expect(turning.begun).toEqual([]);
});

test("a wish becomes an action, and its name is the answer once it has begun", async () => {
  const turning = new Turning(serving);
  const [first, second] = [
    turning.wishes.leave({ kind: "fail", request: "r1", why: "it hangs" }),
    turning.wishes.leave({ kind: "fail", request: "r2", why: "it hangs, too" }),
  ];
  turning.tick();
  expect(await first).toEqual({ kind: "accepted", action: "a1" });
  expect(await second).toEqual({ kind: "accepted", action: "a2" });
  expect(turning.begun.map(({ id, target }) => `${id} ${target}`)).toEqual(["a1 request r1", "a2 request r2"]);
});

test("a wish that cannot be is refused with words, and nothing begins", async () => {
  const turning = new Turning(serving);
  const wished = turning.wishes.leave({ kind: "restart", engine: "nobody", force: false });
  turning.tick();
  expect(await wished).toMatchObject({ kind: "refused", words: expect.stringContaining("nobody") });
  expect(turning.begun).toEqual([]);
});

test("a wish in a tick that fails is answered, too", async () => {
  const turning = new Turning(serving);
  const wished = turning.wishes.leave({ kind: "fail", request: "r1", why: "it hangs" });
  turning.mistake = new Error("a bug");
  turning.tick();
  expect(await wished).toMatchObject({ kind: "refused" });
  expect(turning.begun).toEqual([]);
});

test("a wish for the end is kept, a second one can only hurry it, and nothing else begins beside it", async () => {
  const turning = new Turning(serving);
  void turning.wishes.leave({ kind: "stop", drainMs: 5_000, now: false });
  turning.tick();
  expect(turning.loop.state.desired).toEqual({ wish: "down", drainMs: 5_000, now: false });
  void turning.wishes.leave({ kind: "stop", drainMs: 60_000, now: true });
  turning.tick();
  expect(turning.loop.state.desired).toEqual({ wish: "down", drainMs: 5_000, now: true });
  expect(turning.begun.map(({ action, target, now }) => ({ action, target, now }))).toEqual([
    { action: "stop", target: "fleet", now: false },
    { action: "stop", target: "fleet", now: true },
  ]);
  turning.outcomes = [done("a1"), done("a2")];
  turning.view = stopped;
  turning.tick();
  turning.tick();
  expect(turning.begun).toHaveLength(2);
});

test("a start that failed is told until the fleet serves", () => {
  const turning = new Turning(stopped);
  turning.tick();
  turning.outcomes = [done("a1", { outcome: "failed", words: "prefill did not start", details: ["Error: no model"] })];
  const failed = entry("prefill", { state: "failed", sinceMs: turning.nowMs });
  turning.view = { ...stopped, processes: [failed, ...stopped.processes.slice(1)] };
  turning.tick();
  expect(turning.loop.state.rise).toEqual({ kind: "failed", words: "prefill did not start\nError: no model" });
  turning.view = serving;
  turning.tick();
  expect(turning.loop.state.rise).toEqual({ kind: "served" });
});

test("an engine that ends by itself is an incident, is started again, and closes it by being well", () => {
  const turning = new Turning(serving);
  turning.seen = turning.well();
  turning.tick();
  const t = turning.nowMs / 1_000;
  turning.seen = [
    ...turning.well().filter((one) => one.kind !== "sample" || one.id !== "decode"),
    { kind: "exit", t, id: "decode", signal: "SIGKILL" },
    { kind: "sample", t, id: "decode", generation: 1, health: "refused" },
  ];
  const failed = entry("decode", { state: "failed", sinceMs: turning.nowMs, failure: "signal SIGKILL" });
  turning.view = { ...serving, serves: false, processes: [entry("prefill"), failed, entry("router")] };
  turning.tick();
  expect(turning.loop.state.book.open.map(({ subject, verdict }) => `${subject} ${verdict}`)).toEqual([
    "engine decode down",
  ]);
  for (let tick = 0; tick < 5; tick += 1) {
    turning.seen = [];
    turning.tick();
  }
  expect(turning.begun.map(({ action, target }) => `${action} ${target}`)).toContain("start engine decode");
  expect(turning.loop.state.book.open).toHaveLength(1);
  turning.outcomes = turning.begun.filter(({ action }) => action === "start").map(({ id }) => done(id));
  turning.view = { ...serving, processes: [entry("prefill"), entry("decode", { generation: 2 }), entry("router")] };
  for (let tick = 0; tick < 5; tick += 1) {
    const again = { kind: "sample", t: turning.nowMs / 1_000, id: "decode", generation: 2, health: "ok" } as const;
    turning.seen = [
      ...turning.well().filter((one) => one.kind !== "sample" || one.id !== "decode"),
      { ...again, prealloc_queue: 0, transfer_queue: 0, waiting: 0, running: 0 },
      { kind: "canary", t: again.t, edge: "prefill:decode", result: "ok" },
    ];
    turning.tick();
  }
  expect(turning.loop.state.book.open).toEqual([]);
  expect(turning.loop.state.book.ended[0]?.actions.map(({ outcome }) => outcome?.outcome)).toContain("done");
});

test("actions of an earlier daemon that nobody saw the end of are unknown in the first tick", () => {
  const unknown = done("a7", { outcome: "unknown" });
  const action = { id: "a7", action: "fail", target: "request r1", epoch: 1, by: "healer" } as const;
  const open = { action: { ...action, why: "", effect: "", settleMs: 0 } };
  const turning = new Turning(serving, { actions: [open] }, [unknown]);
  turning.tick();
  expect(turning.loop.state.actions.get("a7")?.outcome).toEqual(unknown);
});
