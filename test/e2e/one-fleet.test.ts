import { rmSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { afterEach, expect, test } from "vitest";
import { placesOf } from "../../src/lib/places.ts";
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

test("a health check from cron, with an empty environment, finds the daemon by the user database", async () => {
  fleet = await Fleet.prepare();
  const { PDCTL_HOME: _, ...env } = fleet.env;
  const name = `cron-${process.pid}`;
  const { homedir } = userInfo();
  const { state } = placesOf(name, { env: {}, home: homedir, isRoot: process.getuid?.() === 0 });
  try {
    const up = await finished(pdctl, ["up", "--file", fleet.file, "--fleet", name], { env }, 180_000);
    expect(up, up.stderr).toMatchObject({ code: 0 });
    const health = await finished("/usr/bin/env", ["-i", pdctl, "health", "--fleet", name], { env: {} });
    expect(health, health.stderr).toMatchObject({ code: 0 });
  } finally {
    const down = await finished(pdctl, ["down", "--now", "--fleet", name], { env });
    expect(down, down.stderr).toMatchObject({ code: 0 });
    rmSync(state, { recursive: true, force: true });
  }
});
