import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type SavedFleet, savedFleetSchema } from "../../../src/contract/saved-fleet.ts";
import type { Happening } from "../../../src/daemon/event-log.ts";
import { WatchdogKeeper } from "../../../src/daemon/watchdog-keeper.ts";
import { type Places, placesOf } from "../../../src/lib/places.ts";
import { processStat } from "../../../src/lib/processes.ts";
import { stderrLog } from "../../../src/lib/stderr-log.ts";

let home: string;
let places: Places;
let nowMs: number;
let told: Happening[];
let keeper: WatchdogKeeper;
const fixture = join(process.cwd(), "test/fixtures/watches.mjs");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pdctl-keeper-"));
  places = placesOf("demo", { env: { PDCTL_HOME: home }, home, isRoot: false });
  for (const folder of [places.run, places.logs]) mkdirSync(folder, { recursive: true });
  nowMs = 0;
  told = [];
});
afterEach(async () => {
  await keeper.end();
  rmSync(home, { recursive: true, force: true });
});

// The program takes the flags of a watchdog and does not look at them; `env` tells it what to do.
function keeperOf(still: boolean): WatchdogKeeper {
  const env = `PDCTL_FIXTURE_RUN=${places.run}`;
  const self = ["/usr/bin/env", env, ...(still ? ["PDCTL_FIXTURE_STILL=1"] : []), process.execPath, fixture];
  const saved: SavedFleet = savedFleetSchema.parse({
    version: 1,
    config: {},
    models: {},
    self,
    cwd: home,
    env: {},
    socket: places.socket,
    startTimeoutMs: 1_000,
  });
  const clock = { nowMs: () => nowMs, wallMs: () => nowMs };
  const log = stderrLog("keeper").child({}, { level: "silent" });
  return new WatchdogKeeper({ places, saved, clock, log, toldUntil: "", tell: (one) => told.push(one) });
}

// Looks once a second of the fake clock until it is so.
async function until<T>(what: () => T | undefined): Promise<T> {
  const limit = AbortSignal.timeout(25_000);
  for (;;) {
    limit.throwIfAborted();
    nowMs += 1_000;
    keeper.look();
    const found = what();
    if (found !== undefined) return found;
    await pause(60);
  }
}

const pidNow = (): number | undefined => keeper.seen()?.pid;
const another = (than: number) => (): number | undefined => (pidNow() === than ? undefined : pidNow());
const isThere = (pid: number): boolean => (processStat(pid)?.state ?? "Z") !== "Z";

test("one that is killed is started again", async () => {
  keeper = keeperOf(false);
  const first = await until(pidNow);
  process.kill(first, "SIGKILL");
  await until(another(first));
  expect(told.map(({ words }) => words)).toContainEqual(expect.stringMatching(/gone: started again/));
});

test("one that is silent is ended and replaced", async () => {
  keeper = keeperOf(true);
  const first = await until(pidNow);
  await until(another(first));
  expect(isThere(first)).toBe(false);
  expect(told.map(({ words }) => words)).toContainEqual(expect.stringMatching(/silent for 15 s: replaced/));
});

test("what this process slept through counts for little", async () => {
  keeper = keeperOf(true);
  const first = await until(pidNow);
  nowMs += 60_000;
  keeper.look();
  await pause(100);
  expect(isThere(first)).toBe(true);
});

test("at the end it is ended, and its record is gone", async () => {
  keeper = keeperOf(false);
  const pid = await until(pidNow);
  await keeper.end();
  expect(isThere(pid)).toBe(false);
  expect(existsSync(join(places.run, "watchdog.json"))).toBe(false);
});

test("one that has just been started, and is not on record yet, is ended, too", async () => {
  keeper = keeperOf(false);
  keeper.look();
  await keeper.end();
  await pause(500);
  expect(existsSync(join(places.run, "watchdog.json"))).toBe(false);
});
