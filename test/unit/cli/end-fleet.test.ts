import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endFleet } from "../../../src/cli/end-fleet.ts";
import type { StopWish } from "../../../src/contract/fleet.ts";
import { type Api, serveApi } from "../../../src/daemon/api/server.ts";
import { type Places, placesOf } from "../../../src/lib/places.ts";
import { newGroup } from "../../../src/lib/process-group.ts";
import { bootId, groupMembers, processStat } from "../../../src/lib/processes.ts";
import { writeRunRecord } from "../../../src/lib/run-records.ts";

let home: string;
let places: Places;
let said: string[];
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pd-"));
  places = placesOf("demo", { env: { PDCTL_HOME: home }, home: "/none", isRoot: false });
  mkdirSync(places.run, { recursive: true });
  said = [];
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
});

async function end(wish: { readonly now?: boolean } = {}): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  await endFleet(places, { drainMs: 0, now: true, signal, say: (line) => said.push(line), ...wish });
}

async function sleeper(): Promise<number> {
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  children.push(child);
  await once(child, "spawn");
  return child.pid ?? 0;
}

function recordDaemon(pid: number): void {
  const record = { pid, startTicks: processStat(pid)?.startTicks, bootId: bootId() };
  writeFileSync(join(places.run, "daemon.json"), JSON.stringify(record));
}

test("a fleet that does not run is fine", async () => {
  await end();
  expect(said).toEqual(["fleet      demo does not run"]);
});

test("engines that a killed daemon has left are ended, and their files and the dead socket removed", async () => {
  const pid = await sleeper();
  writeRunRecord(places.run, { name: "decode", ...newGroup(pid, bootId()) });
  writeFileSync(join(places.run, "decode.ready"), "{}");
  // A socket that nobody listens on any more: its server was killed, so that nobody removed it.
  const listen = `require("net").createServer().listen(${JSON.stringify(places.socket)}, () => process.kill(process.pid, "SIGKILL"))`;
  await once(spawn(process.execPath, ["-e", listen]), "exit");
  expect(existsSync(places.socket)).toBe(true);

  await end();
  expect(groupMembers(pid)).toEqual([]);
  expect(readdirSync(places.run)).toEqual([]);
  expect(existsSync(places.socket)).toBe(false);
  expect(said.at(-1)).toBe("fleet      demo has ended; no process of it is left");
});

test.each([
  { why: "of an earlier boot", bootId: "another", startTicks: undefined },
  { why: "whose number belongs to another process by now", bootId: undefined, startTicks: 1 },
])("a record $why ends nobody", async (row) => {
  const pid = await sleeper();
  const startTicks = row.startTicks ?? processStat(pid)?.startTicks ?? 0;
  writeRunRecord(places.run, {
    name: "decode",
    bootId: row.bootId ?? bootId(),
    group: pid,
    members: [{ pid, startTicks }],
  });
  await end();
  expect(groupMembers(pid)).toHaveLength(1);
  expect(readdirSync(places.run)).toEqual([]);
});

test("a daemon that nobody can ask is ended by its record, and only by it", async () => {
  const daemon = await sleeper();
  const other = await sleeper();
  recordDaemon(daemon);
  await end();
  expect(groupMembers(daemon)).toEqual([]);
  expect(groupMembers(other)).toHaveLength(1);
  expect(said[0]).toContain(`process ${daemon} does not answer`);
});

test("a daemon that answers is asked, with the drain, and waited for", async () => {
  const daemon = await sleeper();
  recordDaemon(daemon);
  const wishes: StopWish[] = [];
  const api: Api = await serveApi(places.socket, {
    fleet: () => ({
      fleet: "demo",
      state: "stopping",
      epoch: 1,
      model: "m",
      daemon: { pid: daemon, since: "2026-01-01T00:00:00.000Z" },
      engines: [],
      router: { name: "router", role: "router", driver: "embedded", state: "ready", generation: 1 },
    }),
    requests: async () => ({ details: [], unanswered: [] }),
    wishStop: (wish) => {
      wishes.push(wish);
      process.kill(daemon, "SIGTERM");
    },
    keptWords: "",
    onMistake: () => undefined,
  });
  try {
    const signal = AbortSignal.timeout(60_000);
    await endFleet(places, { drainMs: 7, now: false, signal, say: (line) => said.push(line) });
  } finally {
    await api.close();
  }
  expect(wishes).toEqual([{ drainMs: 7, now: false }]);
  expect(groupMembers(daemon)).toEqual([]);
  expect(said).toEqual(["fleet      demo has ended; no process of it is left"]);
});

test("a file in the place of the socket is left alone", async () => {
  writeFileSync(places.socket, "mine");
  await end();
  expect(existsSync(places.socket)).toBe(true);
});
