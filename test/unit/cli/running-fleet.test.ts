import { expect, test } from "vitest";
import { urlOf } from "../../../src/cli/running-fleet.ts";
import { fleetOf, processOf } from "../client/support/small-daemon.ts";

const failure = "ended by itself with signal SIGKILL";

test("a fleet that serves has a URL", () => {
  expect(urlOf(fleetOf())).toBe("http://127.0.0.1:1");
});

test("a degraded fleet without a router names who died, and what to do", () => {
  const { url: _gone, ...rest } = fleetOf();
  const degraded = { ...rest, state: "degraded" as const, router: processOf({ state: "failed", failure }) };
  expect(() => urlOf(degraded)).toThrow(
    expect.objectContaining({
      code: "fleet-unready",
      message: `Fleet demo is degraded and takes no requests. router failed: ${failure}.`,
      tryThis: "pdctl down, then start it again",
    }),
  );
});

test("a fleet that ends is waited for", () => {
  expect(() => urlOf(fleetOf({ state: "stopping" }))).toThrow(
    expect.objectContaining({ tryThis: "wait until it has ended, then start it again" }),
  );
});
