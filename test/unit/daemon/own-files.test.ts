import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { savedFleetSchema } from "../../../src/contract/saved-fleet.ts";
import { OwnFiles } from "../../../src/daemon/own-files.ts";
import { fileLog } from "../../../src/lib/log.ts";
import { type Places, placesOf } from "../../../src/lib/places.ts";

const saved = savedFleetSchema.parse({
  ...{
    version: 1,
    config: { fleet: "f", policy: { poll: "300ms" } },
    models: { prefill: "/m" },
    self: ["node", "m.js"],
  },
  ...{ cwd: "/", env: { A: "b" }, socket: "/s.sock", startTimeoutMs: 60_000 },
});
const secret = "0123456789abcdef";
const up = { wish: "up", drainMs: 0, now: false } as const;

let home: string;
let places: Places;
let held: boolean;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pd-own-"));
  places = placesOf("f", { env: { PDCTL_HOME: home }, home, isRoot: false });
  for (const folder of [places.run, places.logs]) mkdirSync(folder, { recursive: true });
  held = true;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function ownFiles(): OwnFiles {
  const record = { path: join(places.run, "daemon.json"), content: '{"pid":1}\n' };
  const log = fileLog(join(places.logs, "daemon.log"));
  return new OwnFiles({ places, saved, secret, record, log, lock: { stillHeld: () => held } }, up);
}

const json = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

function allAreWhole(): void {
  expect(json(join(places.run, "daemon.json"))).toEqual({ pid: 1 });
  expect(savedFleetSchema.parse(json(places.saved))).toEqual(saved);
  expect(json(places.intent)).toEqual({ wish: "up", epoch: 3 });
  expect(readFileSync(places.secret, "utf8").trim()).toBe(secret);
}

test("files of the fleet that are gone, and files that are spoilt, are written again while a daemon lives", () => {
  const files = ownFiles();
  files.keep(3);
  allAreWhole();
  for (const path of [join(places.run, "daemon.json"), places.saved, places.intent, places.secret]) {
    writeFileSync(path, '{"wi');
  }
  files.keep(1);
  allAreWhole();
});

test("what others have written, and is whole, stays", () => {
  const files = ownFiles();
  files.keep(3);
  writeFileSync(places.intent, '{"wish":"down","epoch":4}');
  files.keep(3);
  expect(json(places.intent)).toEqual({ wish: "down", epoch: 4 });
});

test("an end of maintenance that only the file had is not lost with it", () => {
  const files = ownFiles();
  const until = "2030-01-01T00:00:00Z";
  files.wish({ ...up, wish: "maintenance" }, 3);
  writeFileSync(places.intent, JSON.stringify({ wish: "maintenance", epoch: 3, until }));
  files.keep(3);
  rmSync(places.intent);
  files.keep(3);
  expect(json(places.intent)).toEqual({ wish: "maintenance", epoch: 3, until });
});

test("a wish that cannot be written is no error, and is written when it can be", () => {
  const files = ownFiles();
  mkdirSync(places.intent);
  files.wish({ ...up, wish: "down" }, 2);
  files.keep(2);
  rmSync(places.intent, { recursive: true });
  files.keep(2);
  expect(json(places.intent)).toEqual({ wish: "down", epoch: 2 });
});

test("who has lost the lock writes nothing", () => {
  held = false;
  ownFiles().keep(3);
  expect(() => readFileSync(places.saved)).toThrow("ENOENT");
});
