import { expect, onTestFinished, test, vi } from "vitest";
import { type Clock, systemClock } from "../../../src/lib/clock.ts";
import { Host, type HostParts } from "../../../src/lib/host-facts.ts";

function host(parts: Partial<HostParts> = {}): Host {
  const made = new Host({ clock: systemClock, ...parts });
  onTestFinished(() => made.close());
  return made;
}

async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 10 });
}

test("the machine's memory and load are known after a while, and nobody waits for them", async () => {
  const seen = host({ paceMs: 50 });
  expect(seen.latest()).toEqual({});
  await eventually(() => {
    const { loadPercent, memoryBytes, memoryUsedBytes } = seen.latest();
    expect(loadPercent).toBeGreaterThanOrEqual(0);
    expect(loadPercent).toBeLessThanOrEqual(100);
    expect(memoryUsedBytes).toBeGreaterThan(0);
    expect(memoryBytes).toBeGreaterThan(memoryUsedBytes ?? 0);
  });
});

test("a system that hangs is asked once, and what it said grows old", async () => {
  let nowMs = 0;
  let asked = 0;
  const clock: Clock = { nowMs: () => nowMs, wallMs: () => 0 };
  const memory = async (): Promise<{ memoryBytes: number; memoryUsedBytes: number }> => {
    asked += 1;
    if (asked > 1) await new Promise(() => undefined);
    return { memoryBytes: 8, memoryUsedBytes: 3 };
  };
  const seen = host({ clock, paceMs: 5, memory });
  await eventually(() => expect(asked).toBe(2));
  expect(seen.latest()).toMatchObject({ memoryBytes: 8, memoryUsedBytes: 3 });
  nowMs = 16;
  expect(seen.latest()).not.toHaveProperty("memoryBytes");
  expect(asked).toBe(2);
});

test("a system that refuses to say is not known", async () => {
  let asked = 0;
  const seen = host({
    paceMs: 5,
    memory: async () => {
      asked += 1;
      throw new Error("no");
    },
  });
  await eventually(() => expect(asked).toBeGreaterThan(2));
  expect(seen.latest()).not.toHaveProperty("memoryBytes");
});
