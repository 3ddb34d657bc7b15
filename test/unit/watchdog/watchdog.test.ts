import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isLiving, signalMembers } from "../../../src/lib/shim.ts";
import { WatchedFleet } from "./support/watched-fleet.ts";

function newFleet(options: ConstructorParameters<typeof WatchedFleet>[0] = {}): WatchedFleet {
  const fleet = new WatchedFleet(options);
  onTestFinished(async () => await fleet.end());
  return fleet;
}

/** A fleet that serves, with a request that nothing moves, under a daemon that does nothing about it. */
async function pinnedFleet(
  options: ConstructorParameters<typeof WatchedFleet>[0] & { readonly stubborn?: boolean } = {},
): Promise<WatchedFleet> {
  const fleet = newFleet(options);
  await fleet.startEngines(options);
  await fleet.startDaemon();
  await fleet.ask("prefill", "/pin", { id: "r1" });
  return fleet;
}

function starts(fleet: WatchedFleet): number {
  return fleet.lines("daemon.lines").filter((line) => line.startsWith("started")).length;
}

function told(fleet: WatchedFleet, words: string): boolean {
  return fleet.lines("logs/watchdog.log").some((line) => line.includes(words));
}

test("a daemon that was killed is started again, and nothing happens to engines that serve", async () => {
  const fleet = newFleet();
  await fleet.startEngines();
  const daemon = await fleet.startDaemon();
  fleet.startWatchdog();
  await signalMembers([daemon], "SIGKILL");
  await fleet.until(() => starts(fleet) === 2 && told(fleet, "a new daemon runs"));
  expect(fleet.lines("daemon.lines")[1]).toBe(`started daemon --fleet f --socket ${fleet.places.socket}`);
  expect([fleet.calls("prefill"), fleet.calls("decode"), fleet.calls("router")]).toEqual([[], [], []]);
  expect(["prefill", "decode", "router"].map((name) => fleet.record(name as "router").generation)).toEqual([1, 1, 1]);
});

test("a daemon that is frozen is killed and replaced", async () => {
  const fleet = newFleet();
  const daemon = await fleet.startDaemon();
  fleet.startWatchdog();
  await fleet.until(() => told(fleet, "watches"));
  await signalMembers([daemon], "SIGSTOP");
  await fleet.until(() => starts(fleet) === 2);
  expect(isLiving(daemon)).toBe(false);
  expect(isLiving(fleet.daemon())).toBe(true);
});

test("a frozen daemon whose record is gone is killed and replaced by what was seen of it before", async () => {
  const fleet = newFleet();
  const daemon = await fleet.startDaemon();
  fleet.startWatchdog();
  await fleet.watchedFor(200);
  rmSync(join(fleet.places.run, "daemon.json"));
  await fleet.watchedFor(500);
  expect(starts(fleet)).toBe(1);
  expect(told(fleet, "the daemon is gone")).toBe(false);
  await signalMembers([daemon], "SIGSTOP");
  await fleet.until(() => starts(fleet) === 2);
  expect(isLiving(daemon)).toBe(false);
  expect(isLiving(fleet.daemon())).toBe(true);
});

test.each([
  { how: "spoilt", spoil: (path: string) => writeFileSync(path, '{"wi') },
  { how: "gone", spoil: (path: string) => rmSync(path) },
])("files that are $how while no daemon lives are told, and written again for the next one", async ({ spoil }) => {
  const fleet = newFleet();
  const daemon = await fleet.startDaemon();
  fleet.startWatchdog();
  await fleet.watchedFor(200);
  const { saved, intent, secret } = fleet.places;
  const before = [saved, intent, secret].map((path) => readFileSync(path, "utf8"));
  for (const path of [saved, intent, secret]) spoil(path);
  await fleet.until(() => told(fleet, `${intent} cannot be read: what it said last counts`));
  await signalMembers([daemon], "SIGKILL");
  await fleet.until(() => starts(fleet) === 2 && told(fleet, "a new daemon runs"));
  expect([saved, intent, secret].map((path) => readFileSync(path, "utf8"))).toEqual(before);
  await fleet.until(() => told(fleet, "as it should be again"));
});

test("a frozen daemon that could not be killed finds the lock in other hands and does nothing more", async () => {
  const fleet = newFleet();
  const daemon = await fleet.startDaemon();
  fleet.startWatchdog({ PDCTL_TEST_NO_KILL: "1" });
  await fleet.until(() => told(fleet, "watches"));
  await signalMembers([daemon], "SIGSTOP");
  await fleet.until(() => starts(fleet) === 2);
  expect(isLiving(daemon)).toBe(true);
  await signalMembers([daemon], "SIGCONT");
  await fleet.until(() => fleet.lines("daemon.lines").includes("lock lost") && !isLiving(daemon));
  expect(isLiving(fleet.daemon())).toBe(true);
});

test("a request that nothing moves is failed on router, prefill and decode when the daemon leaves it", async () => {
  const fleet = await pinnedFleet();
  const before = fleet.daemon();
  fleet.startWatchdog();
  await fleet.until(() => starts(fleet) === 2);
  const call = "POST /admin/v1/requests/r1/fail";
  for (const name of ["router", "prefill", "decode"] as const) {
    expect(fleet.calls(name).map((one) => one.call)).toEqual([call]);
  }
  expect(fleet.calls("prefill")[0]?.body?.["why"]).toMatch(/^watchdog: request r1, which has been inflight on prefill/);
  expect(told(fleet, "the fail had its effect")).toBe(true);
  expect(isLiving(before)).toBe(false);
  expect(fleet.record("prefill").generation).toBe(1);
});

test("where the fail has no effect all engines are restarted, behind a router that holds", async () => {
  const fleet = await pinnedFleet({ stubborn: true });
  const router = fleet.record("router").child?.pid;
  fleet.startWatchdog();
  await fleet.until(() => starts(fleet) === 2);
  expect(told(fleet, "co-restart done, epoch 5")).toBe(true);
  expect([fleet.record("prefill"), fleet.record("decode")]).toMatchObject([{ generation: 2 }, { generation: 2 }]);
  expect(fleet.record("router").child?.pid).toBe(router);
  const calls = fleet.calls("router").slice(1);
  const edges = calls.find(({ call }) => call === "PUT /admin/v1/edges")?.body;
  expect(calls[0]).toMatchObject({ call: "POST /admin/v1/hold", body: { epoch: 5, subjects: ["r1"] } });
  expect(edges).toMatchObject({
    epoch: 5,
    engines: [{ name: "prefill", generation: 2, admits: true }, { name: "decode" }],
  });
  expect(calls.at(-1)).toEqual({ call: "POST /admin/v1/admit", body: { epoch: 5 } });
  expect(JSON.parse(fleet.lines("intent.json")[0] ?? "")).toEqual({ wish: "up", epoch: 5 });
});

test("a request that is stuck is left to a daemon that has an action open", async () => {
  const fleet = await pinnedFleet();
  const before = fleet.daemon();
  const action = { id: "a1", action: "co-restart", target: "fleet" };
  writeFileSync(fleet.places.intents, `${JSON.stringify({ kind: "begin", action })}\n\0\0`);
  fleet.startWatchdog();
  await fleet.until(() => told(fleet, "open: co-restart of fleet"));
  expect(isLiving(before)).toBe(true);
  expect(fleet.calls("prefill")).toEqual([]);
});

test("a request that is old beside others that move is left to the daemon", async () => {
  const fleet = await pinnedFleet();
  const moving = setInterval(() => void fleet.ask("prefill", "/move").catch(() => undefined), 50);
  onTestFinished(() => clearInterval(moving));
  fleet.startWatchdog();
  await fleet.watchedFor(3_000);
  clearInterval(moving);
  expect(starts(fleet)).toBe(1);
  expect(fleet.calls("router").filter(({ call }) => call.includes("fail"))).toEqual([]);
});

test("act: [] lets it tell, and replace a daemon, but do nothing to a request or an engine", async () => {
  const fleet = await pinnedFleet({ act: [] });
  const before = fleet.daemon();
  fleet.startWatchdog();
  await fleet.until(() => told(fleet, "nothing may be done about it"));
  expect(isLiving(before)).toBe(true);
  await signalMembers([before], "SIGKILL");
  await fleet.until(() => starts(fleet) === 2);
  expect([fleet.calls("router"), fleet.calls("prefill")]).toEqual([[], []]);
});

test("act: [fail] never leads to a restart", async () => {
  const fleet = await pinnedFleet({ act: ["fail"], stubborn: true });
  fleet.startWatchdog();
  await fleet.until(() => told(fleet, "no co-restart: the policy's act does not allow it") && starts(fleet) === 2);
  expect(fleet.record("prefill").generation).toBe(1);
});

test("it ends by itself once the fleet is wanted down and no daemon lives", async () => {
  const fleet = newFleet();
  const daemon = await fleet.startDaemon();
  const watchdog = fleet.startWatchdog();
  await fleet.until(() => told(fleet, "watches"));
  fleet.wish("down");
  await signalMembers([daemon], "SIGKILL");
  expect(await once(watchdog, "exit")).toEqual([0, null]);
  expect(starts(fleet)).toBe(1);
});

test("maintenance means hands off", async () => {
  const fleet = await pinnedFleet();
  fleet.wish("maintenance");
  const daemon = fleet.daemon();
  const watchdog = fleet.startWatchdog();
  await signalMembers([daemon], "SIGKILL");
  await fleet.watchedFor(2_500);
  expect([starts(fleet), fleet.calls("prefill"), watchdog.exitCode]).toEqual([1, [], null]);
  fleet.wish("up");
  await fleet.until(() => starts(fleet) === 2);
});

test("of two watchdogs the earlier one ends, and one that is asked to end does", async () => {
  const fleet = newFleet();
  await fleet.startDaemon();
  const first = fleet.startWatchdog();
  await fleet.until(() => told(fleet, `process ${first.pid} watches`));
  const second = fleet.startWatchdog();
  expect(await once(first, "exit")).toEqual([0, null]);
  await fleet.until(() => fleet.lines(join("run", "watchdog.heartbeat")).length === 1);
  second.kill("SIGTERM");
  expect(await once(second, "exit")).toEqual([0, null]);
});
