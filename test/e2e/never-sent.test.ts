import { afterAll, beforeAll, expect, test } from "vitest";
import { complete, told } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({
    allowFaults: true,
    config: ["deadlines: {inflight: 2s}"],
    env: { PDCTL_TEST_LIMITS: "1" },
  });
});
afterAll(async () => await fleet.end());

test("a sender that never sends is failed by its engine, the client reads why, and the next request works", async () => {
  const { prefill, decode } = await fleet.engines();
  const ask = { prompt: "The capital of France is", max_tokens: 8 };
  const good = await complete(fleet.url, ask);
  expect(good, fleet.said()).toMatchObject({ status: 200 });

  await prefill.fault("never-send", true);
  const stuck = await complete(fleet.url, ask, AbortSignal.timeout(60_000));
  await prefill.fault("never-send", false);
  expect(stuck, fleet.said()).toMatchObject({ status: 504 });
  expect(stuck.body).toContain("inflight-timeout");
  expect(stuck.body).toMatch(/prefill is done, but .* has not committed within 2/);
  const [record] = (await prefill.records()).filter((one) => one.stage === "failed");
  expect(record?.failure?.code).toBe("inflight-timeout");

  expect(told(await complete(fleet.url, ask)), fleet.said()).toEqual(told(good));
  await prefill.quiet(10_000);
  await decode.quiet(10_000);
});

test("the deadline counts from the end of prefill, so that a prompt that prefills for longer is not failed", async () => {
  const { prefill } = await fleet.engines();
  const prompt = Array.from({ length: 900 }, (_, index) => 1000 + ((index * 37) % 20_000));
  const answer = await complete(fleet.url, { prompt, max_tokens: 4 });
  expect(answer, fleet.said()).toMatchObject({ status: 200, promptTokens: 900 });
  const record = (await prefill.records()).find((one) => one.promptTokens === 900);
  expect(record?.stage).toBe("finished");
});
