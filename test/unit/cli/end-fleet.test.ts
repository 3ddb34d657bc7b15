import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askFleet } from "../../../src/cli/ask-fleet.ts";
import { endFleet } from "../../../src/cli/end-fleet.ts";
import { writeLaunchFile } from "../../../src/lib/launch-file.ts";
import { type Places, placesOf } from "../../../src/lib/places.ts";
import { bootId, isAlive, processStat } from "../../../src/lib/processes.ts";
import { descendants, type RunRecord, readRunRecord, startShim } from "../../../src/lib/shim.ts";
import { pause } from "../../../src/lib/wait.ts";
import { addEvents, eventOf, smallDaemon } from "../client/support/small-daemon.ts";

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

async function end(wish: { readonly now?: boolean; readonly drainMs?: number } = {}): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  await endFleet(places, { drainMs: 0, now: true, signal, say: (line) => said.push(line), ...wish });
}

async function sleeper(): Promise<number> {
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  children.push(child);
  await once(child, "spawn");
  return child.pid ?? 0;
}

/** A process under a shim, as the daemon starts one; it has a child of its own. */
async function held(name: string, script = "sleep 1000 & sleep 1000"): Promise<RunRecord> {
  const record = join(places.run, `${name}.json`);
  const file = join(places.run, `${name}.launch`);
  writeLaunchFile(file, {
    ...{ name, generation: 1, cwd: "/", log: join(home, `${name}.log`), logBytes: 65_536, logFiles: 1, record },
    ...{ graceMs: 2_000, args: ["/bin/sh", "-c", script], env: { PATH: process.env["PATH"] ?? "" } },
  });
  await startShim(file);
  const found = readRunRecord(record);
  if (found === undefined) throw new Error("the shim has left no record");
  return found;
}

function recordProcess(who: "daemon" | "watchdog", pid: number): void {
  const record = { pid, startTicks: processStat(pid)?.startTicks, bootId: bootId() };
  writeFileSync(join(places.run, `${who}.json`), JSON.stringify(record));
}

function isRunning(pid: number): boolean {
  const found = processStat(pid);
  return found !== undefined && isAlive(found);
}

test("a fleet that does not run is fine", async () => {
  await end();
  expect(said).toEqual(["fleet      demo does not run"]);
});

test.each([{ now: true }, { now: false }])(
  "engines that a killed daemon has left are ended with all they started, and their files and the dead socket removed ($now)",
  async ({ now }) => {
    const record = await held("decode");
    const { shim } = record;
    await expect.poll(() => descendants(shim).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
    const all = [shim, ...descendants(shim)];
    writeFileSync(places.intent, JSON.stringify({ wish: "up", epoch: 7 }));
    // A socket that nobody listens on any more: its server was killed, so that nobody removed it.
    const listen = `require("net").createServer().listen(${JSON.stringify(places.socket)}, () => process.kill(process.pid, "SIGKILL"))`;
    await once(spawn(process.execPath, ["-e", listen]), "exit");
    expect(existsSync(places.socket)).toBe(true);

    await end({ now });
    expect(all.filter(isAlive)).toEqual([]);
    expect(readdirSync(places.run)).toEqual([]);
    expect(existsSync(places.socket)).toBe(false);
    expect(JSON.parse(readFileSync(places.intent, "utf8"))).toEqual({ wish: "down", epoch: 7 });
    expect(said).toEqual(["decode     was left over: ended", "fleet      demo has ended; no process of it is left"]);
  },
);

test.each([
  { what: "its record", lost: ["decode.json"] },
  { what: "its record and its launch file", lost: ["decode.json", "decode.launch"] },
])("an engine that a killed daemon has left is ended though $what is lost", async ({ lost }) => {
  const { shim } = await held("decode");
  const all = [shim, ...descendants(shim)];
  for (const file of lost) rmSync(join(places.run, file));
  await end();
  expect(all.filter(isAlive)).toEqual([]);
  expect(said).toEqual(["decode     was left over: ended", "fleet      demo has ended; no process of it is left"]);
});

test("what an engine has left is ended though its shim and its record are gone: it was seen with it", async () => {
  const { shim, bootId, pidNamespace } = await held("decode", "trap '' TERM; setsid sleep 1000 & sleep 1000");
  await expect.poll(() => descendants(shim).length, { timeout: 20_000 }).toBe(3);
  const all = descendants(shim);
  const members = JSON.stringify({ bootId, pidNamespace, members: all });
  writeFileSync(join(places.run, "decode.members.json"), members);
  process.kill(shim.pid, "SIGKILL");
  rmSync(join(places.run, "decode.json"));
  await end();
  expect(all.filter(isAlive)).toEqual([]);
  expect(said.at(-1)).toBe("fleet      demo has ended; no process of it is left");
});

test("processes without a daemon are named where the fleet is asked for", async () => {
  await held("decode");
  const choice = { fleet: "demo", socket: undefined };
  vi.stubEnv("PDCTL_HOME", home);
  await expect(askFleet(choice, AbortSignal.timeout(20_000))).rejects.toMatchObject({
    ...{ code: "fleet-not-running", message: "No daemon of fleet demo runs, but these of its processes do: decode." },
  });
  vi.unstubAllEnvs();
  await end();
});

test("what ignores SIGTERM is ended, too", async () => {
  const { shim } = await held("decode", "trap '' TERM; while :; do sleep 1; done");
  await end({ now: false });
  expect(isAlive(shim)).toBe(false);
  expect(said.at(-1)).toContain("no process of it is left");
}, 60_000);

test.each([
  { why: "of an earlier boot", more: { bootId: "another" } },
  { why: "of another pid namespace", more: { pidNamespace: "1" } },
  { why: "whose number belongs to another process by now", more: { startTicks: 1 } },
])("a record $why ends nobody", async ({ more: { startTicks, ...more } }) => {
  const pid = await sleeper();
  const identity = { pid, startTicks: startTicks ?? processStat(pid)?.startTicks ?? 0 };
  const record = {
    ...{ name: "decode", generation: 1, bootId: bootId(), pidNamespace: "1", shim: identity, child: identity },
    ...{ session: pid, beganUnixMs: 1, empty: false, droppedBytes: 0 },
    ...more,
  };
  writeFileSync(join(places.run, "decode.json"), JSON.stringify(record));
  await end();
  expect(isRunning(pid)).toBe(true);
  expect(readdirSync(places.run)).toEqual([]);
});

test("a daemon that nobody can ask is ended by its record, and the watchdog, and only they", async () => {
  const daemon = await sleeper();
  const watchdog = await sleeper();
  const other = await sleeper();
  recordProcess("daemon", daemon);
  recordProcess("watchdog", watchdog);
  await end();
  expect([daemon, watchdog, other].map(isRunning)).toEqual([false, false, true]);
  expect(said[0]).toContain(`process ${daemon} does not answer`);
  expect(said[1]).toBe("watchdog   was left over: ended");
});

test("a daemon that answers is asked, with the drain, waited for, and its steps are told", async () => {
  const pid = await sleeper();
  recordProcess("daemon", pid);
  const wishes: unknown[] = [];
  const atMs = Number.MAX_SAFE_INTEGER;
  const daemon = await smallDaemon(places.socket, (server) => {
    addEvents(server, [eventOf({ subject: "engine decode", words: "stopping", atMs }), eventOf({ words: "old" })]);
    server.post("/v1/fleet/stop", async ({ body }, reply) => {
      wishes.push(body);
      setTimeout(() => process.kill(pid, "SIGTERM"), 500);
      await reply.code(202).send({ action: "a1" });
    });
  });
  try {
    await end({ now: false, drainMs: 7 });
  } finally {
    await daemon.close();
  }
  expect(wishes).toEqual([{ drainMs: 7, now: false }]);
  expect(isRunning(pid)).toBe(false);
  expect(said).toEqual(["decode     stopping", "fleet      demo has ended; no process of it is left"]);
});

test("a daemon that does not listen yet is waited for, so that it lets open requests end", async () => {
  const pid = await sleeper();
  recordProcess("daemon", pid);
  const wishes: unknown[] = [];
  const ending = end({ now: false, drainMs: 7 });
  await pause(300, AbortSignal.timeout(20_000));
  const daemon = await smallDaemon(places.socket, (server) => {
    addEvents(server, []);
    server.post("/v1/fleet/stop", async ({ body }, reply) => {
      wishes.push(body);
      process.kill(pid, "SIGTERM");
      await reply.code(202).send({ action: "a1" });
    });
  });
  try {
    await ending;
  } finally {
    await daemon.close();
  }
  expect(wishes).toEqual([{ drainMs: 7, now: false }]);
  expect(said).toEqual(["fleet      demo has ended; no process of it is left"]);
});

test("a file in the place of the socket is left alone", async () => {
  writeFileSync(places.socket, "mine");
  await end();
  expect(existsSync(places.socket)).toBe(true);
});
