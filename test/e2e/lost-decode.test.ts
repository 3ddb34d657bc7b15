import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complete, told } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { Pair } from "./support/pair.ts";
import { isAlive } from "./support/processes.ts";
import { stream } from "./support/streams.ts";
import { textOf } from "./support/texts.ts";
import { until, within } from "./support/until.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start();
});
afterAll(async () => await fleet.end());

test("when decode is killed under load every client has an answer or an error, and prefill holds nothing of the old incarnation", async () => {
  const { prefill } = await fleet.engines();
  const pid = await fleet.pidOf("decode");
  const asks = Array.from({ length: 12 }, (_, index) => ({
    prompt: textOf(10 + 40 * index, index + 1),
    max_tokens: 64,
    ignore_eos: true,
  }));
  // Those that had no byte yet are answered by the next decode engine: that takes its time.
  const clients = asks.map(async (ask) => await stream(fleet.url, ask, AbortSignal.timeout(200_000)));
  await until("both phases to be under way", 60_000, async () => {
    const { queues, totals } = await prefill.state();
    return totals.transfersCompleted >= 2 && queues.bootstrap + queues.waiting + queues.running + queues.inflight > 0
      ? true
      : undefined;
  });
  process.kill(pid, "SIGKILL");

  const answers = await within("the answers of all clients", 150_000, Promise.all(clients));
  for (const answer of answers) {
    const clear = answer.done ? answer.error === undefined || answer.error !== "" : answer.error !== undefined;
    expect(clear, JSON.stringify(answer)).toBe(true);
    expect(answer.error ?? "", "a client was left waiting").not.toContain("TimeoutError");
  }
  await prefill.quiet(20_000);
  expect(isAlive(pid)).toBe(false);
});

describe("a decode engine that comes back", () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start();
  });
  afterAll(async () => await pair.end());

  test("is another one: prefill fails what belonged to the old one and serves the new one", async () => {
    const ask = { prompt: "The capital of France is", max_tokens: 8 };
    const before = await complete(pair.url, ask);
    expect(before, pair.said()).toMatchObject({ status: 200 });
    const old = await pair.decode.admin.state();

    const lost = Array.from({ length: 6 }, async (_, index) => {
      return await complete(pair.url, {
        prompt: textOf(60 + 50 * index, index + 1),
        max_tokens: 100,
        ignore_eos: true,
      });
    });
    const { admin } = pair.prefill;
    await until("a transfer", 30_000, async () =>
      (await admin.state()).totals.transfersCompleted > 1 ? true : undefined,
    );
    await pair.decode.end();
    for (const answer of await within("the answers", 60_000, Promise.all(lost))) expect(answer.status).not.toBe(0);
    await admin.quiet(20_000);

    await pair.startDecodeAgain();
    expect(told(await complete(pair.url, ask)), pair.said()).toEqual(told(before));
    expect((await pair.decode.admin.state()).incarnation).not.toBe(old.incarnation);
    expect((await admin.quiet(10_000)).links).toBe(1);
  });
});
