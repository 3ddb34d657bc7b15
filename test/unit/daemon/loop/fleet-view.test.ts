import { expect, test } from "vitest";
import { fleetViewSchema } from "../../../../src/contract/fleet.ts";
import { engineDetail, fleetView, type ViewGround } from "../../../../src/daemon/fleet-view.ts";
import type { FleetState } from "../../../../src/daemon/state.ts";
import { config, entry, serving, stopped, Turning } from "./turning.ts";

const clock = { nowMs: () => 1_010_000, wallMs: () => 1_010_000 };
const ground: ViewGround = {
  ...{ fleet: "demo", model: "smollm2-135m", policy: config.policy, clock },
  daemon: { pid: 1, since: "2026-01-01T00:00:00.000Z" },
  logFileOf: (name) => `/logs/${name}.log`,
  metrics: () => "127.0.0.1:9464",
  watchdog: () => ({ pid: 2, last_seen_s: 0.5 }),
};

function stateOf(more: Partial<FleetState>): FleetState {
  const turning = new Turning(serving);
  turning.seen = turning.well();
  turning.tick();
  return { ...turning.loop.state, ...more };
}

const failed = { kind: "failed", words: "prefill did not start\nmore" } as const;
const down = { wish: "down", drainMs: 0, now: false } as const;
const broken = { ...serving, processes: [entry("prefill"), entry("decode", { state: "failed" }), entry("router")] };

test.each<{ sentence: string; more: Partial<FleetState>; state: string; step?: string }>([
  { sentence: "what serves whole is ready", more: { rise: { kind: "served" } }, state: "ready" },
  {
    sentence: "what has served and is not whole is degraded",
    more: { rise: { kind: "served" }, view: broken },
    state: "degraded",
  },
  {
    sentence: "what has not served yet is starting",
    more: { rise: { kind: "rising" }, view: stopped },
    state: "starting",
  },
  {
    sentence: "a start that failed says why",
    more: { rise: failed, view: stopped },
    state: "failed",
    step: "prefill did not start",
  },
  {
    sentence: "what is wanted down is stopping, whatever it was",
    more: { rise: failed, desired: down },
    state: "stopping",
  },
])("$sentence", ({ more, state, step }) => {
  const view = fleetView(stateOf(more), ground);
  expect(view.state).toBe(state);
  if (step !== undefined) expect(view.step).toBe(step);
});

test("the view is what the contract promises, and what is unknown is absent", () => {
  const view = fleetView(stateOf({ rise: { kind: "served" } }), ground);
  expect(fleetViewSchema.parse(view)).toEqual(view);
  expect(view).toMatchObject({ url: "http://127.0.0.1/router", metrics: "127.0.0.1:9464", epoch: 1 });
  expect(view.engines.map(({ name, load }) => [name, load?.inflight, load?.kv_usage])).toEqual([
    ["prefill", 0, undefined],
    ["decode", 0, undefined],
  ]);
  expect(view.edges).toMatchObject([{ prefill: "prefill", decode: "decode", open: 0, quarantined: false }]);
  expect(view).not.toHaveProperty("restricted");
});

test("its verdict is the worst that is said of anything in it, as health names it", () => {
  const calm = fleetView(stateOf({ rise: { kind: "served" } }), ground);
  expect(calm).toMatchObject({ verdict: "ok", severity: "OK" });
  const state = stateOf({ rise: { kind: "served" } });
  const stuck = { subject: "request r1", verdict: "wedge", cause: "transfer-stall", evidence: ["it stands"] } as const;
  const verdicts = state.verdicts.flatMap((one) =>
    one.subject === "fleet" ? [one, { ...one, ...stuck, evidence: [...stuck.evidence] }] : [one],
  );
  expect(fleetView({ ...state, verdicts }, ground)).toMatchObject({
    ...{ verdict: "wedge", cause: "transfer-stall", severity: "CRITICAL", verdictOf: "request r1" },
  });
});

test("of incidents those that are open, and those that ended within the hour", () => {
  const at = (ms: number): string => new Date(clock.wallMs() - ms).toISOString();
  const line = { subject: "engine decode", verdict: "down", verdicts: [], actions: [], sinceMs: 0 } as const;
  const one = { ...line, subjects: [line.subject], engines: ["decode"], since: at(9_000_000) };
  const kept = (id: string, ended?: string) => ({ ...one, verdicts: [], actions: [], id, ...(ended ? { ended } : {}) });
  const book = {
    opened: 3,
    open: [kept("i3")],
    ended: [kept("i2", at(60_000)), kept("i1", at(8_000_000))],
  } as FleetState["book"];
  const state = stateOf({ book });
  expect(fleetView(state, ground).incidents.map(({ id }) => id)).toEqual(["i3", "i2"]);
  expect(engineDetail(state, "decode", ground)?.incidents.map(({ id }) => id)).toEqual(["i3", "i2", "i1"]);
  expect(engineDetail(state, "prefill", ground)?.incidents).toEqual([]);
  expect(engineDetail(state, "nobody", ground)).toBeUndefined();
});
