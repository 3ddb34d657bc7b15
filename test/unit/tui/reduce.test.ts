import { expect, test } from "vitest";
import type { Command } from "../../../src/tui/keys.ts";
import { begun, listed, reduce } from "../../../src/tui/reduce.ts";
import { silenceMs, type TopEvent, type TopState } from "../../../src/tui/state.ts";
import { after, decode, liveView, moment, prefill, request } from "./support/views.ts";

const ids = (state: TopState) => listed(state).map(({ id }) => id);
const under = (state: TopState) => listed(state)[state.cursor.at]?.id;
const view = (seconds: number, shown = liveView()): TopEvent => ({ kind: "view", view: shown, now: after(seconds) });
const run = (state: TopState, ...events: (TopEvent | Command)[]): TopState =>
  events.reduce<TopState>(
    (before, event) => reduce(before, typeof event === "string" ? { kind: "command", command: event } : event),
    state,
  );

const aged = (stageAges: Record<string, number>) =>
  liveView({ requests: Object.entries(stageAges).map(([id, stageAgeMs]) => request(id, { stageAgeMs })) });

test("requests stand by their age in the stage; those that do not tell it come last", () => {
  const requests = [
    request("a", { stageAgeMs: 5 }),
    request("b", { stageAgeMs: undefined }),
    request("c", { stageAgeMs: 9 }),
  ];
  expect(ids(begun(liveView({ requests }), moment))).toEqual(["c", "a", "b"]);
});

test("o sorts by age, then by bytes, then by engines, then again by age in stage", () => {
  const requests = [
    request("a", { stageAgeMs: 3, ageMs: 1, bytesDone: 2, decode: "d2" }),
    request("b", { stageAgeMs: 2, ageMs: 3, bytesDone: 1, decode: "d3" }),
    request("c", { stageAgeMs: 1, ageMs: 2, bytesDone: 3, decode: "d1" }),
  ];
  let state = begun(liveView({ requests }), moment);
  const seen = [0, 1, 2, 3, 4].map(() => {
    const order = ids(state).join("");
    state = run(state, "sort");
    return order;
  });
  expect(seen).toEqual(["abc", "bca", "cab", "cab", "abc"]);
});

test("the cursor follows its request when the order changes, and its place when the request is gone", () => {
  const state = run(begun(aged({ a: 30, b: 20, c: 10 }), moment), "down");
  expect(under(state)).toBe("b");
  expect(under(run(state, view(1, aged({ b: 99, a: 30, c: 10 }))))).toBe("b");
  expect(under(run(state, view(1, aged({ a: 30, c: 10 }))))).toBe("c");
  expect(run(state, view(1)).cursor.at).toBe(0);
});

test("at the top the cursor shows whatever is first", () => {
  const state = begun(aged({ a: 30, b: 20 }), moment);
  expect(under(run(state, view(1, aged({ a: 30, b: 99 }))))).toBe("b");
});

test("moving stops at both ends", () => {
  const state = begun(aged({ a: 3, b: 2, c: 1 }), moment);
  expect(run(state, "page-down").cursor.at).toBe(2);
  expect(run(state, "last", "down").cursor.at).toBe(2);
  expect(run(state, "last", "page-up", "up").cursor.at).toBe(0);
  expect(run(begun(liveView(), moment), "down").cursor.at).toBe(0);
});

test("a held picture stays as it is, goes on with the newest, and its rates are those of the time that passed", () => {
  const tokens = (total: number) =>
    liveView({ fleet: { engines: [decode("d", { load: { generated_tokens_total: total } })] } });
  const held = run(begun(tokens(0), moment), "pause", view(1, tokens(10)), view(2, tokens(50)));
  expect(held.shown.view).toEqual(tokens(0));
  const on = run(held, "pause");
  expect(on.shown.view).toEqual(tokens(50));
  expect(on.meters.get("d")?.tokensPerS).toBe(40);
  expect(on).not.toHaveProperty("held");
});

test("an engine that is gone takes its meter with it", () => {
  const both = liveView({ fleet: { engines: [prefill("p"), decode("d")] } });
  const one = liveView({ fleet: { engines: [prefill("p")] } });
  expect([...run(begun(both, moment), view(1, one)).meters.keys()]).toEqual(["p"]);
});

test("a daemon is silent after three of its usual ticks, and not before three seconds", () => {
  const fast = run(begun(liveView(), moment), view(1));
  expect(silenceMs(run(fast, { kind: "clock", now: after(3.9) }))).toBeUndefined();
  expect(silenceMs(run(fast, { kind: "clock", now: after(5) }))).toBe(4_000);
  const slow = run(begun(liveView(), moment), view(3), view(6), view(9));
  expect(silenceMs(run(slow, { kind: "clock", now: after(17) }))).toBeUndefined();
  expect(silenceMs(run(slow, { kind: "clock", now: after(19) }))).toBe(10_000);
});

test("a view ends the silence, and the silence is no pace", () => {
  const back = run(begun(liveView(), moment), view(1), view(60));
  expect(silenceMs(back)).toBeUndefined();
  expect(back.paceMs).toBe(1_000);
});
