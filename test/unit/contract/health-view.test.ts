import { expect, test } from "vitest";
import type { FleetView, ProcessView } from "../../../src/contract/fleet.ts";
import { healthOf } from "../../../src/contract/health-view.ts";
import type { Verdict } from "../../../src/contract/verdict.ts";

function process(name: string, role: ProcessView["role"], more: Partial<ProcessView> = {}): ProcessView {
  return { name, role, driver: "native", state: "ready", generation: 1, ...more };
}

const view: FleetView = {
  ...{ fleet: "demo", state: "ready", epoch: 3, model: "m", incidents: [] },
  daemon: { pid: 2, since: "2026-01-01T00:00:00Z" },
  engines: [
    process("p", "prefill", { load: { inflight: 1, inflight_oldest_s: 61, bootstrap_failed_total: 2 } }),
    process("d", "decode", { load: { running: 3, transfer_queue: 1 } }),
  ],
  router: process("router", "router"),
  edges: [{ prefill: "p", decode: "d", open: 4, quarantined: false }],
};

function said(more: Partial<Verdict>): Verdict {
  return {
    ...{ subject: "engine p", verdict: "idle", sinceMs: 40_000, evidence: ["words"], ruledOut: [], sure: "high" },
    ...{ moving: false, fresh: true, requests: [], engines: [], ...more },
  };
}

const at = { tickMs: 100_000, nowMs: 100_500 };
const wedge = said({ subject: "request r1", verdict: "wedge", cause: "transfer-stall", evidence: ["it stands"] });

test("a fleet that is well says so in one sentence, with its numbers", () => {
  const health = healthOf({ fleet: view, verdicts: [said({}), said({ subject: "fleet", verdict: "ok" })], ...at });
  expect(health).toEqual({
    ...{ status: "OK", fleet: "demo", summary: "2 engines, ready: nothing is stuck", ageS: 0.5, problems: [] },
    perfdata: {
      ...{ inflight: 1, inflight_oldest_s: 61, transfer_queue: 1, decode_running: 3, bootstrap_failed: 2 },
      ...{ open: 4, incidents: 0, epoch: 3 },
    },
  });
});

test("a stuck request is critical and named before what waits for it", () => {
  const waits = said({ subject: "edge p:d", verdict: "suspect", cause: "secondary" });
  const { status, summary, problems } = healthOf({ fleet: view, verdicts: [waits, wedge], ...at });
  expect({ status, summary }).toEqual({
    status: "CRITICAL",
    summary: "request r1 wedge (transfer-stall) for 60 s: it stands",
  });
  expect(problems.map(({ subject, forS }) => `${subject} ${forS}`)).toEqual(["request r1 60", "edge p:d 60"]);
});

test.each([
  { state: "draining", status: "CRITICAL" },
  { state: "starting", status: "WARNING" },
] as const)("where the only decode engine is $state the fleet does not serve: $status", ({ state, status }) => {
  const engines = [process("p", "prefill"), process("d", "decode", { state })];
  const health = healthOf({ fleet: { ...view, state: "degraded", engines }, verdicts: [], ...at });
  expect(health.status).toBe(status);
  expect(health.summary).toContain(`no decode engine takes requests: d is ${state}`);
});

test("while the fleet starts, what has not been seen yet is a warning and not unknown", () => {
  const engines = [process("p", "prefill", { state: "starting" }), process("d", "decode", { state: "stopped" })];
  const unseen = said({ subject: "engine d", verdict: "unknown", cause: "no-data", fresh: false });
  const fleet: FleetView = { ...view, state: "starting", step: "prefill loads its model", engines };
  const { status, summary } = healthOf({ fleet, verdicts: [unseen], ...at });
  expect(status).toBe("WARNING");
  expect(summary).toContain("prefill loads its model");
});

test("an edge that is taken out is a warning while another serves", () => {
  const edges = [
    { prefill: "p", decode: "d", quarantined: true },
    { prefill: "p", decode: "e", quarantined: false },
  ];
  const broken = said({ subject: "edge p:d", verdict: "wedge", cause: "transfer-stall" });
  expect(healthOf({ fleet: { ...view, edges }, verdicts: [broken], ...at }).status).toBe("WARNING");
  expect(healthOf({ fleet: view, verdicts: [broken], ...at }).status).toBe("CRITICAL");
});
