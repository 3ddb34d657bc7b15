import { afterEach, expect, test } from "vitest";
import { complete } from "./support/completions.ts";
import { Fleet } from "./support/fleet.ts";
import { startForeground } from "./support/foreground.ts";
import { expectNothingLeft } from "./support/nothing-left.ts";
import { processesOf } from "./support/processes.ts";
import { until, within } from "./support/until.ts";

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.end();
  fleet = undefined;
});

test("down ends everything, and a second down is quick and safe", async () => {
  fleet = await Fleet.start();
  const pids = processesOf(fleet.home).map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThanOrEqual(8); // daemon, watchdog, prefill, decode, router, and their shims
  expect(await complete(fleet.url, { prompt: "One, two,", max_tokens: 2 }), fleet.said()).toMatchObject({
    status: 200,
  });

  const down = await fleet.cli(["down"]);
  expect(down, `${down.stderr}\n${fleet.said()}`).toMatchObject({ code: 0 });
  expectNothingLeft(fleet, pids);

  const again = await fleet.cli(["down"]);
  expect(again, again.stderr).toMatchObject({ code: 0 });
  expect((await fleet.cli(["status"])).code).toBe(3);
  expect((await fleet.cli(["health"])).code).toBe(3);
});

test("Ctrl-C ends everything that up --foreground started, and exits 130", async () => {
  const started = await startForeground();
  fleet = started.fleet;
  const pids = processesOf(fleet.home).map(({ pid }) => pid);
  started.up.signalGroup("SIGINT");
  const ended = await within("the end after Ctrl-C", 60_000, started.up.ended);
  expect(ended, `${started.up.said()}\n${fleet.said()}`).toEqual({ code: 130, signal: undefined });
  expectNothingLeft(fleet, pids);
});

test("a second Ctrl-C does not wait for the request that runs, and its client hears of the end", async () => {
  const started = await startForeground();
  fleet = started.fleet;
  const { up } = started;
  const pids = processesOf(fleet.home).map(({ pid }) => pid);
  const ask = { prompt: "Once upon a time", max_tokens: 2000, ignore_eos: true };
  const client = complete(fleet.url, ask, AbortSignal.timeout(60_000));
  const decode = await fleet.engine("decode");
  await until("the request to run", 30_000, async () => ((await decode.state()).queues.running > 0 ? true : undefined));

  up.signalGroup("SIGINT");
  await until("the wait for the request", 30_000, () => (/waiting for 1 open/.test(up.stderr) ? true : undefined));
  up.signalGroup("SIGINT");
  const ended = await within("the end after the second Ctrl-C", 60_000, up.ended);
  expect(ended, `${up.said()}\n${fleet.said()}`).toEqual({ code: 130, signal: undefined });
  expect((await client).status, "the answer broke off").not.toBe(200);
  expectNothingLeft(fleet, pids);
});
