import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { complete } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { isAlive } from "./support/processes.ts";
import { stream } from "./support/streams.ts";
import { until } from "./support/until.ts";

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.end();
  fleet = undefined;
});

const ask = { prompt: "The capital of France is", max_tokens: 8 };
const limits = { PDCTL_TEST_LIMITS: "1" };
const watchdogSoon = "heartbeat=4s";

test("SIGKILL of the daemon under load: streams run on, and a new daemon adopts what runs", async () => {
  fleet = await Fleet.start();
  const before = await fleet.view();
  const { decode } = await fleet.engines();
  const streams = [0, 1, 2, 3].map(
    async () =>
      await stream(fleet?.url ?? "", { ...ask, max_tokens: 300, ignore_eos: true }, AbortSignal.timeout(150_000)),
  );
  await until("the streams to run", 60_000, async () => ((await decode.state()).queues.running > 3 ? true : undefined));
  process.kill(before.daemon.pid, "SIGKILL");

  for (const one of await Promise.all(streams))
    expect(one).toMatchObject({ status: 200, done: true, error: undefined });
  const after = await fleet.seen("a new daemon", 60_000, (view) =>
    view.daemon.pid !== before.daemon.pid && view.state === "ready" ? view : undefined,
  );
  const same = ({ engines, router, epoch }: typeof before) => ({
    epoch,
    processes: [...engines, router].map(({ name, pid, generation, url }) => ({ name, pid, generation, url })),
  });
  expect(same(after)).toEqual(same(before));
  expect(await complete(fleet.url, ask), fleet.said()).toMatchObject({ status: 200 });
});

test("SIGTERM of the daemon leaves nothing unseen: the watchdog brings the next one, which adopts what runs", async () => {
  fleet = await Fleet.start();
  const before = await fleet.view();
  process.kill(before.daemon.pid, "SIGTERM");
  const after = await fleet.seen("a new daemon", 60_000, (view) =>
    view.daemon.pid !== before.daemon.pid && view.state === "ready" ? view : undefined,
  );
  expect(after.engines.map(({ pid }) => pid)).toEqual(before.engines.map(({ pid }) => pid));
});

test("SIGSTOP of the daemon: the watchdog takes over, and engines run on", async () => {
  fleet = await Fleet.start({ env: { ...limits, PDCTL_TEST_WATCHDOG: watchdogSoon } });
  const before = await fleet.view();
  process.kill(before.daemon.pid, "SIGSTOP");
  const after = await fleet.seen("a new daemon", 90_000, (view) =>
    view.daemon.pid !== before.daemon.pid && view.state === "ready" ? view : undefined,
  );
  expect(isAlive(before.daemon.pid)).toBe(false);
  expect(after.engines.map(({ pid }) => pid)).toEqual(before.engines.map(({ pid }) => pid));
});

test("a daemon that wakes up and finds the lock in other hands exits", async () => {
  fleet = await Fleet.start({ env: { ...limits, PDCTL_TEST_NO_KILL: "1", PDCTL_TEST_WATCHDOG: watchdogSoon } });
  const before = await fleet.view();
  process.kill(before.daemon.pid, "SIGSTOP");
  const record = join(fleet.state, "run", "daemon.json");
  await until("another daemon to be on record", 90_000, () =>
    Number((JSON.parse(readFileSync(record, "utf8")) as { pid: number }).pid) !== before.daemon.pid ? true : undefined,
  );
  process.kill(before.daemon.pid, "SIGCONT");
  await until("the old daemon to exit", 60_000, () => (isAlive(before.daemon.pid) ? undefined : true));
  const after = await fleet.seen("the new daemon to serve", 60_000, (view) =>
    view.state === "ready" ? view : undefined,
  );
  expect(after.engines.map(({ pid }) => pid)).toEqual(before.engines.map(({ pid }) => pid));
});

test("the watchdog is back after a kill, and after a freeze", async () => {
  fleet = await Fleet.start({ env: limits });
  const first = await fleet.seen("the watchdog", 60_000, ({ watchdog }) => watchdog?.pid);
  process.kill(first, "SIGKILL");
  const second = await fleet.seen("another watchdog", 60_000, ({ watchdog }) =>
    watchdog !== undefined && watchdog.pid !== first ? watchdog.pid : undefined,
  );
  process.kill(second, "SIGSTOP");
  await fleet.seen("a third watchdog", 90_000, ({ watchdog }) =>
    watchdog !== undefined && watchdog.pid !== second ? true : undefined,
  );
  expect(isAlive(second)).toBe(false);
  expect((await fleet.cli(["status"])).code).toBe(0);
});

test("with the daemon gone for good, the watchdog heals a wedge within its hard limit", async () => {
  fleet = await Fleet.start({
    allowFaults: true,
    // Verdicts of the daemon would come long after: whatever heals here is the watchdog.
    config: ["policy: {poll: 300ms, suspect: 200s, wedge: 400s}"],
    env: { ...limits, PDCTL_TEST_WATCHDOG: "heartbeat=600s hard=6s quiet=3s effect=5s" },
  });
  const { prefill, decode } = await fleet.engines();
  for (const engine of [prefill, decode]) await engine.fault("ignore-deadlines", true);
  await prefill.fault("never-send", true);
  const before = await fleet.view();
  process.kill(before.daemon.pid, "SIGSTOP");
  const stuck = await complete(fleet.url, ask, AbortSignal.timeout(120_000));
  expect(stuck.status, `${stuck.body}\n${fleet.said()}`).toBeGreaterThanOrEqual(500);
  expect(stuck.body).toContain("watchdog");
  await prefill.fault("never-send", false);

  const after = await fleet.seen("a new daemon", 90_000, (view) =>
    view.daemon.pid !== before.daemon.pid && view.state === "ready" ? view : undefined,
  );
  expect(
    after.engines.map(({ pid }) => pid),
    "nobody was restarted",
  ).toEqual(before.engines.map(({ pid }) => pid));
  expect(await complete(fleet.url, ask), fleet.said()).toMatchObject({ status: 200 });
  await prefill.quiet(10_000);
  await decode.quiet(10_000);
});
