import { expect, test } from "vitest";
import { decide, type Facts } from "../../../src/watchdog/decide.ts";

const stuck = { engine: "p", ageMs: 700_000, id: "r1" };
const facts: Facts = {
  ...{ wish: "up", daemon: "serves", startIsDue: true, stuck: undefined, mayHeal: true, actionOpen: undefined },
};

test.each<{ name: string; change: Partial<Facts>; kind: string; heal?: boolean }>([
  { name: "all is well", change: {}, kind: "watch" },
  { name: "the daemon is gone", change: { daemon: "gone" }, kind: "take-over" },
  {
    name: "it is gone, and the last start failed just now",
    change: { daemon: "gone", startIsDue: false },
    kind: "watch",
  },
  { name: "it is frozen", change: { daemon: "frozen" }, kind: "take-over" },
  { name: "a request is stuck and nobody does anything", change: { stuck }, kind: "take-over", heal: true },
  { name: "a request is stuck and an action is open", change: { stuck, actionOpen: "fail of r1" }, kind: "watch" },
  { name: "a request is stuck and nothing may be done", change: { stuck, mayHeal: false }, kind: "watch" },
  { name: "it is frozen beside a stuck request", change: { daemon: "frozen", stuck }, kind: "take-over", heal: true },
  {
    name: "it is frozen in an action of its own",
    change: { daemon: "frozen", stuck, actionOpen: "co-restart of fleet" },
    kind: "take-over",
    heal: true,
  },
  {
    name: "it is gone beside a stuck request, and no start is due",
    change: { daemon: "gone", startIsDue: false, stuck },
    kind: "take-over",
    heal: true,
  },
  {
    name: "it is gone beside a stuck request of which nothing may be done",
    change: { daemon: "gone", stuck, mayHeal: false },
    kind: "take-over",
  },
  { name: "down is wanted and the daemon is at it", change: { wish: "down", stuck }, kind: "watch" },
  { name: "down is wanted and the daemon hangs at it", change: { wish: "down", daemon: "frozen" }, kind: "watch" },
  { name: "down is wanted and the daemon is gone", change: { wish: "down", daemon: "gone" }, kind: "end" },
  { name: "it is gone in maintenance", change: { wish: "maintenance", daemon: "gone", stuck }, kind: "watch" },
  { name: "nobody knows the wish", change: { wish: "unknown", daemon: "gone", stuck }, kind: "watch" },
])("$name → $kind, heals: $heal", ({ change, kind, heal = false }) => {
  const decision = decide({ ...facts, ...change });
  expect(decision.kind).toBe(kind);
  expect(decision.kind === "take-over" && decision.heal !== undefined).toBe(heal);
});

test("why it takes over is one sentence with the request, its age and where it is", () => {
  expect(decide({ ...facts, stuck })).toMatchObject({
    why: "the daemon does nothing about request r1, which has been inflight on p for 700 s",
  });
});
