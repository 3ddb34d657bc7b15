import { expect, test } from "vitest";
import type { LiveView } from "../../../src/contract/events.ts";
import { firstView } from "../../../src/tui/first-view.ts";
import { liveView } from "./support/views.ts";

const never = new AbortController().signal;

async function* shows(...views: LiveView[]): AsyncGenerator<LiveView> {
  yield* views;
}

test("the first view is what comes first", async () => {
  expect(await firstView(shows(liveView()), never)).toEqual(liveView());
});

test("a daemon that says nothing is told after the limit, one that ends at once", async () => {
  const silent = { next: async () => await new Promise<never>(() => undefined) };
  await expect(firstView(silent, never, 10)).rejects.toMatchObject({ code: "timed-out" });
  await expect(firstView(shows(), never)).rejects.toMatchObject({ code: "fleet-not-running" });
});

test("an interruption ends the wait with its reason", async () => {
  const silent = { next: async () => await new Promise<never>(() => undefined) };
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(firstView(silent, signal)).rejects.toThrow("interrupted");
});
