import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace } from "../../../src/daemon/pace.ts";

let nowMs: number;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = { nowMs: () => nowMs, wallMs: () => nowMs };

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

// Says when each tick came, for as long as a test lets time pass.
function ticksOf(pace: Pace): readonly number[] {
  const ticks: number[] = [];
  const turn = async (): Promise<void> => {
    for (;;) {
      await pace.next();
      ticks.push(nowMs);
    }
  };
  void turn();
  return ticks;
}

test("a tick comes each poll", async () => {
  const ticks = ticksOf(new Pace(1_000, clock));
  for (let second = 0; second < 3; second += 1) await pass(1_000);
  expect(ticks).toEqual([1_000, 2_000, 3_000]);
});

test("a wish brings the next one at once, and many wishes bring one", async () => {
  const pace = new Pace(1_000, clock);
  const ticks = ticksOf(pace);
  await pass(300);
  for (let wish = 0; wish < 10; wish += 1) pace.wake();
  await pass(20);
  await pass(999);
  expect(ticks).toEqual([320]);
  await pass(1);
  expect(ticks).toEqual([320, 1_320]);
});

test("a wish during a tick brings another one", async () => {
  const pace = new Pace(1_000, clock);
  pace.wake();
  const ticks = ticksOf(pace);
  await pass(20);
  expect(ticks).toEqual([20]);
});
