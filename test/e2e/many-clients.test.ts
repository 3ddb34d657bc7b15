import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complete } from "./support/completions.ts";
import { isQuiet } from "./support/engine-admin.ts";
import { Fleet } from "./support/fleet.ts";
import { stream } from "./support/streams.ts";
import { random, textOf } from "./support/texts.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start();
});
afterAll(async () => await fleet.end());

test("sixteen streams at once all finish", async () => {
  const asks = Array.from({ length: 16 }, (_, index) => ({
    prompt: textOf(20 + 7 * index, index + 1),
    max_tokens: 24,
    ignore_eos: true,
  }));
  const answers = await Promise.all(
    asks.map(async (ask) => await stream(fleet.url, ask, AbortSignal.timeout(120_000))),
  );
  for (const answer of answers)
    expect(answer, fleet.said()).toMatchObject({ status: 200, done: true, error: undefined });
  for (const answer of answers) expect(answer.text.length).toBeGreaterThan(0);
});

test("a hundred clients that leave at random moments leave nothing behind on either engine", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const next = random(seed);
  const { prefill, decode } = await fleet.engines();
  const clients = Array.from({ length: 100 }, async (_, index) => {
    const ask = { prompt: textOf(1 + Math.floor(next() * 200), index + 1), max_tokens: 48 };
    const [comesMs, staysMs] = [next() * 8_000, next() * 2_000];
    await sleep(comesMs);
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), staysMs);
    if (index % 3 === 0) await complete(fleet.url, ask, leaving.signal);
    else await stream(fleet.url, ask, leaving.signal);
    clearTimeout(timer);
  });
  await Promise.all(clients);

  for (const engine of [prefill, decode]) {
    await engine.quiet(10_000).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${String(error)}\n${fleet.said()}`);
    });
  }
  await sleep(10_000); // what comes late must not bring anything back
  for (const engine of [prefill, decode]) {
    const state = await engine.state();
    expect(isQuiet(state), `seed ${seed}: ${JSON.stringify(state)}`).toBe(true);
  }
  const after = await stream(fleet.url, { prompt: textOf(30, 5), max_tokens: 8 }, AbortSignal.timeout(60_000));
  expect(after).toMatchObject({ status: 200, done: true, error: undefined });
});
