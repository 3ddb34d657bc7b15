import { statSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { pdctl } from "./support/environment.ts";
import { Fleet } from "./support/fleet.ts";
import { expectNothingLeft } from "./support/nothing-left.ts";
import { processesOf } from "./support/processes.ts";
import { finished, Running } from "./support/running.ts";
import { until } from "./support/until.ts";

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.end();
  fleet = undefined;
});

test("up twice is one fleet, shown twice, behind a socket that only its owner may open", async () => {
  fleet = await Fleet.start();
  const before = await fleet.view();
  const again = await fleet.cli(["up", "-f", fleet.file]);
  expect(again, again.stderr).toMatchObject({ code: 0 });
  expect(again.stdout).toContain(fleet.url);
  const after = await fleet.view();
  expect(after.daemon.pid).toBe(before.daemon.pid);
  expect(after.engines.map(({ pid, generation }) => ({ pid, generation }))).toEqual(
    before.engines.map(({ pid, generation }) => ({ pid, generation })),
  );
  expect(statSync(fleet.socket).mode & 0o777).toBe(0o600);
});

test("up while the fleet is starting joins the start", async () => {
  fleet = await Fleet.prepare();
  const ups = [0, 1, 2].map(() => new Running(pdctl, ["up", "-f", fleet?.file ?? ""], { env: fleet?.env ?? {} }));
  const ends = await Promise.all(ups.map(async (up) => await up.finish(180_000)));
  for (const { code, stderr } of ends) expect(code, `${stderr}\n${fleet.said()}`).toBe(0);
  expect(new Set(ends.map(({ stdout }) => stdout)).size).toBe(1);
  const daemons = processesOf(fleet.home).filter(({ command }) => / daemon /.test(command));
  expect(daemons, JSON.stringify(daemons)).toHaveLength(1);
});

test("down while the fleet is starting ends the start and leaves nothing", async () => {
  fleet = await Fleet.prepare();
  const { home, file, env } = fleet;
  const up = new Running(pdctl, ["up", "-f", file], { env });
  await until("the first engine to be started", 120_000, () =>
    processesOf(home).some(({ command }) => / engine /.test(command)) ? true : undefined,
  );
  const pids = processesOf(home).flatMap(({ pid }) => (pid === up.pid ? [] : [pid]));
  const down = await fleet.cli(["down"], 90_000);
  expect(down, `${down.stderr}\n${fleet.said()}`).toMatchObject({ code: 0 });
  const ended = await up.finish(60_000);
  expect(ended.code, ended.stderr).not.toBe(0);
  expect(ended.stderr).not.toMatch(/^\s+at /m);
  expectNothingLeft(fleet, pids);
});

test("a health check from cron, with an empty environment, finds root's daemon by the user database", async () => {
  fleet = await Fleet.start();
  // Only the socket's place is given: everything else that a shell would have is missing.
  const line = ["-i", pdctl, "health", "--socket", fleet.socket];
  const health = await finished("/usr/bin/env", line, { env: {} });
  expect(health, health.stderr).toMatchObject({ code: 0 });
});
