import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { complete } from "./support/completions.ts";
import { pdctl } from "./support/environment.ts";
import { Fleet } from "./support/fleet.ts";
import { filesIn } from "./support/home.ts";
import { isAlive, processesOf } from "./support/processes.ts";
import { finished } from "./support/running.ts";
import { until, within } from "./support/until.ts";

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.end();
  fleet = undefined;
});

test("down ends everything, and a second down is quick and safe", async () => {
  fleet = await Fleet.start();
  const pids = processesOf(fleet.home).map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThanOrEqual(4); // daemon, prefill, decode, router
  expect(await complete(fleet.url, { prompt: "One, two,", max_tokens: 2 }), fleet.said()).toMatchObject({
    status: 200,
  });

  const down = await finished(pdctl, ["down", "--socket", fleet.socket], { env: fleet.env });
  expect(down, `${down.stderr}\n${fleet.said()}`).toMatchObject({ code: 0 });
  const ended = await within("the end of the daemon", 20_000, fleet.daemon.ended);
  expect(ended).toEqual({ code: 0, signal: undefined });
  expectNothingLeft(fleet, pids);

  const again = await finished(pdctl, ["down", "--socket", fleet.socket], { env: fleet.env });
  expect(again, again.stderr).toMatchObject({ code: 0 });
});

test("Ctrl-C ends everything, and exits 130", async () => {
  fleet = await Fleet.start();
  const pids = processesOf(fleet.home).map(({ pid }) => pid);
  fleet.daemon.signalGroup("SIGINT");
  const ended = await within("the end after Ctrl-C", 45_000, fleet.daemon.ended);
  expect(ended, fleet.said()).toEqual({ code: 130, signal: undefined });
  expectNothingLeft(fleet, pids);
});

test("a second Ctrl-C does not wait for the request that runs, and its client hears of the end", async () => {
  fleet = await Fleet.start();
  const { daemon, home, url } = fleet;
  const pids = processesOf(home).map(({ pid }) => pid);
  const ask = { prompt: "Once upon a time", max_tokens: 2000, ignore_eos: true };
  const client = complete(url, ask, AbortSignal.timeout(60_000));
  const decode = await fleet.engine("decode");
  await until("the request to run", 30_000, async () => ((await decode.state()).queues.running > 0 ? true : undefined));

  daemon.signalGroup("SIGINT");
  await until("the wait for the request", 30_000, () => (/waiting for 1 open/.test(daemon.stderr) ? true : undefined));
  daemon.signalGroup("SIGINT");
  const ended = await within("the end after the second Ctrl-C", 45_000, daemon.ended);
  expect(ended, fleet.said()).toEqual({ code: 130, signal: undefined });
  expect((await client).status, "the answer broke off").not.toBe(200);
  expectNothingLeft(fleet, pids);
});

test("when the daemon is killed its engines and router end by themselves", async () => {
  fleet = await Fleet.start();
  const { home } = fleet;
  fleet.daemon.signal("SIGKILL");
  await fleet.daemon.ended;
  await until("the lifelines to end the rest", 20_000, () => (processesOf(home).length === 0 ? true : undefined));
});

/** Shared memory is anonymous: it lives in processes only. What else a fleet could leave has a name. */
function expectNothingLeft({ home, socket }: Fleet, pids: readonly number[]): void {
  expect(pids.filter(isAlive)).toEqual([]);
  expect(processesOf(home)).toEqual([]);
  expect(existsSync(socket)).toBe(false);
  expect(filesIn(home).filter((name) => /\.sock$|run\/./.test(name))).toEqual([]);
}
