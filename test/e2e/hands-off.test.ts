import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { complete } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { HealthStory } from "./support/story.ts";
import { until } from "./support/until.ts";

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.end();
  fleet = undefined;
});

const ask = { prompt: "The capital of France is", max_tokens: 8 };

test("act: [] never leads to anything destructive, by daemon or watchdog; a child that exited is started again", async () => {
  fleet = await Fleet.start({
    allowFaults: true,
    config: ["policy: {poll: 300ms, suspect: 1s, wedge: 3s, act: []}"],
    env: { PDCTL_TEST_LIMITS: "1", PDCTL_TEST_WATCHDOG: "hard=5s quiet=2s effect=2s" },
  });
  const before = await fleet.view();
  const { prefill, decode } = await fleet.engines();
  for (const engine of [prefill, decode]) await engine.fault("ignore-deadlines", true);
  await prefill.fault("never-send", true);
  const leaving = new AbortController();
  const stuck = complete(fleet.url, ask, leaving.signal);
  const health = new HealthStory(fleet);
  await until("the verdict", 60_000, () => (health.now === "CRITICAL" ? true : undefined));
  await sleep(12_000); // beyond the watchdog's hard limit and every settle time
  await health.close();
  expect(health.statuses.at(-1)).toBe("CRITICAL");
  expect((await fleet.cli(["health"])).code).toBe(2);
  const during = await fleet.view();
  expect(during.epoch).toBe(before.epoch);
  expect([...during.engines, during.router].map(({ pid }) => pid)).toEqual(
    [...before.engines, before.router].map(({ pid }) => pid),
  );
  expect(during.daemon.pid).toBe(before.daemon.pid);
  expect((await prefill.state()).queues.inflight, "nobody has failed it").toBe(1);

  process.kill(await fleet.pidOf("decode"), "SIGKILL");
  await fleet.seen("decode to be back", 120_000, (view) =>
    view.engines.some(({ name, state, generation }) => name === "decode" && state === "ready" && generation === 2)
      ? true
      : undefined,
  );
  leaving.abort();
  await stuck;
});

test("an exhausted budget is a failure that stays, and by hand it takes --force", async () => {
  fleet = await Fleet.start({
    config: ["policy: {poll: 300ms, restarts: {max: 2, reset-after: 10m, backoff: 100ms..200ms}}"],
  });
  for (const generation of [2, 3, 4]) {
    process.kill(await fleet.pidOf("decode"), "SIGKILL");
    if (generation === 4) break;
    await fleet.seen("decode to be back", 60_000, ({ engines }) =>
      engines.some(
        ({ name, state, generation: found }) => name === "decode" && state === "ready" && found === generation,
      )
        ? true
        : undefined,
    );
  }
  await fleet.seen("decode to stay failed", 60_000, ({ engines, incidents }) =>
    engines.some(({ name, state, cause }) => name === "decode" && state === "failed" && cause === "crash-loop") &&
    incidents.some(({ subject, ended }) => subject === "engine decode" && ended === undefined)
      ? true
      : undefined,
  );
  expect((await fleet.cli(["health"])).code).toBe(2);
  const refused = await fleet.cli(["restart", "decode", "--yes"]);
  expect(refused.code, refused.stderr).toBe(5);
  expect(refused.stderr).toContain("--force");
  const forced = await fleet.cli(["restart", "decode", "--yes", "--force"], 120_000);
  expect(forced, forced.stderr).toMatchObject({ code: 0 });
  await fleet.seen("decode to serve", 60_000, ({ state }) => (state === "ready" ? true : undefined));
  expect(await complete(fleet.url, ask), fleet.said()).toMatchObject({ status: 200 });
});

test("a destructive command without a terminal needs --yes, and says what it would have done", async () => {
  fleet = await Fleet.start();
  const before = await fleet.view();
  const restart = await fleet.cli(["restart", "decode"]);
  expect(restart).toMatchObject({ code: 2 });
  expect(restart.stderr).toContain("--yes");
  expect((await fleet.view()).engines).toMatchObject(before.engines.map(({ name, pid }) => ({ name, pid })));
});
