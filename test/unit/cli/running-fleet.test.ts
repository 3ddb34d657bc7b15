import { expect, test } from "vitest";
import { urlOf } from "../../../src/cli/running-fleet.ts";
import type { FleetView, ProcessView } from "../../../src/contract/fleet.ts";

const cause = "ended by itself with signal SIGKILL";
const router: ProcessView = { name: "router", role: "router", driver: "embedded", state: "ready", generation: 1 };
const fleet: FleetView = {
  ...{ fleet: "demo", state: "ready", epoch: 1, model: "m", url: "http://127.0.0.1:1", engines: [], router },
  daemon: { pid: 2, since: "2026-01-01T00:00:00.000Z" },
};

test("a fleet that serves has a URL", () => {
  expect(urlOf(fleet)).toBe("http://127.0.0.1:1");
});

test("a degraded fleet without a router is not to be waited for: who died is named, and what to do", () => {
  const { url: _gone, ...rest } = fleet;
  const degraded: FleetView = { ...rest, state: "degraded", router: { ...router, state: "failed", cause } };
  expect(() => urlOf(degraded)).toThrow(
    expect.objectContaining({
      code: "fleet-unready",
      message: `Fleet demo is degraded and takes no requests. router failed: ${cause}.`,
      tryThis: "pdctl down, then start it again",
    }),
  );
});

test("a fleet that ends is waited for", () => {
  expect(() => urlOf({ ...fleet, state: "stopping" })).toThrow(
    expect.objectContaining({ tryThis: "wait until it has ended, then start it again" }),
  );
});
