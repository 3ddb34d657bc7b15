import { expect, test } from "vitest";
import { limited, pause, until } from "../../../src/lib/wait.ts";

const never = new AbortController().signal;

test("a wait ends with the first answer", async () => {
  let asked = 0;
  const answer = await until(() => (++asked === 3 ? asked : undefined), { everyMs: 1, limitMs: 60_000, signal: never });
  expect(answer).toBe(3);
});

test("a wait without an answer ends at its limit, having asked at least once", async () => {
  let asked = 0;
  const ask = (): undefined => {
    asked++;
  };
  expect(await until(ask, { everyMs: 1, limitMs: 0, signal: never })).toBeUndefined();
  expect(asked).toBe(1);
});

test("a wait that is called off rejects with the reason", async () => {
  const off = new AbortController();
  const wait = until(() => undefined, { everyMs: 60_000, limitMs: 60_000, signal: off.signal });
  off.abort(new Error("called off"));
  await expect(wait).rejects.toThrow("called off");
  await expect(pause(60_000, off.signal)).rejects.toThrow("called off");
});

test("a limit aborts with the outer signal or with its own time", async () => {
  const outer = new AbortController();
  const signal = limited(60_000, outer.signal);
  expect(signal.aborted).toBe(false);
  outer.abort();
  expect(signal.aborted).toBe(true);
  const short = limited(1);
  await new Promise((resolve) => short.addEventListener("abort", resolve));
  expect((short.reason as Error).name).toBe("TimeoutError");
});
