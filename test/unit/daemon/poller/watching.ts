import { expect, onTestFinished } from "vitest";
import type { Observation, Sample } from "../../../../src/contract/observation.ts";
import { Poller, type PollerParts } from "../../../../src/daemon/poller/poller.ts";
import type { Target } from "../../../../src/daemon/poller/target.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { eventually, secret } from "./small-servers.ts";

// Nothing that is well reaches it, also on a loaded machine.
export const patientMs = 20_000;
export const briefMs = 100;

export function poller(more: Partial<PollerParts> = {}): Poller {
  const made = new Poller({ clock: systemClock, secret, pollMs: 1_000, probeLimitMs: patientMs, ...more });
  onTestFinished(() => made.close());
  return made;
}

export function target(more: Partial<Target> = {}): Target {
  return { name: "p0", role: "prefill", driver: "native", generation: 1, state: "ready", members: [], ...more };
}

/** Takes until something is there. */
export async function taken(from: Poller): Promise<readonly Observation[]> {
  let found: readonly Observation[] = [];
  await eventually(() => {
    found = from.take();
    expect(found).not.toEqual([]);
  });
  return found;
}

export async function sampleOf(one: Target, more: Partial<PollerParts> = {}): Promise<Sample> {
  const eyes = poller(more);
  eyes.watch([one]);
  const [first] = await taken(eyes);
  if (first?.kind !== "sample") throw new Error("no sample");
  return first;
}
