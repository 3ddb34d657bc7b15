import { afterAll, beforeAll, expect, test } from "vitest";
import { complete, told } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { stream } from "./support/streams.ts";
import { until } from "./support/until.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start({
    config: ["policy: {poll: 500ms, suspect: 3s, wedge: 6s}"],
    env: { PDCTL_TEST_LIMITS: "1" },
  });
});
afterAll(async () => await fleet.end());

test("a stopped decode engine is a loop-hang, and a restart of it heals", async () => {
  const ask = { prompt: "The capital of France is", max_tokens: 8 };
  const good = await complete(fleet.url, ask);
  const before = await fleet.view();
  const { decode } = await fleet.engines();
  const begun = stream(fleet.url, { ...ask, max_tokens: 2_000, ignore_eos: true }, AbortSignal.timeout(120_000));
  await until("it to run", 30_000, async () => ((await decode.state()).queues.running > 0 ? true : undefined));
  process.kill(await fleet.pidOf("decode"), "SIGSTOP");

  const incident = await fleet.seen("the verdict", 60_000, ({ incidents }) =>
    incidents.find(({ subject }) => subject === "engine decode"),
  );
  expect(incident).toMatchObject({ verdict: "wedge", cause: "loop-hang" });
  const after = await fleet.seen("the fleet to be whole", 120_000, (view) =>
    view.state === "ready" &&
    view.engines.some(
      ({ name, pid }) => name === "decode" && pid !== before.engines.find((one) => one.name === name)?.pid,
    )
      ? view
      : undefined,
  );
  expect(after.engines.every(({ state }) => state === "ready")).toBe(true);
  expect((await begun).error, "a begun stream ends with an error").toBeDefined();
  expect(told(await complete(fleet.url, ask)), fleet.said()).toEqual(told(good));
});
