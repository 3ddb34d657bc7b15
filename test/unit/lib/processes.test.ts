import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { livingMembers, newGroup, refreshed, signalGroup, signalProcess } from "../../../src/lib/process-group.ts";
import { bootId, groupMembers, isAlive, processStat } from "../../../src/lib/processes.ts";
import { type RunRecord, runRecords, writeRunRecord } from "../../../src/lib/run-records.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function sleeper(): Promise<number> {
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  children.push(child);
  await once(child, "spawn");
  return child.pid ?? 0;
}

async function end(pid: number): Promise<void> {
  const child = children.find((one) => one.pid === pid);
  if (child?.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}

test("a process is told apart by the tick that it started at", async () => {
  const pid = await sleeper();
  const stat = processStat(pid);
  expect(stat).toMatchObject({ pid, group: pid });
  if (stat === undefined) return;
  expect(isAlive(stat)).toBe(true);
  expect(isAlive({ pid, startTicks: stat.startTicks + 1 })).toBe(false);
  await end(pid);
  expect(isAlive(stat)).toBe(false);
  expect(processStat(pid)).toBeUndefined();
});

test("a name with spaces and brackets does not confuse the fields", async () => {
  expect(processStat(process.pid)?.startTicks).toBeGreaterThan(0);
  expect(bootId()).toMatch(/^[0-9a-f-]{36}$/);
});

test("a group whose members are all unknown is never signalled", async () => {
  const pid = await sleeper();
  const foreign = { bootId: bootId(), group: pid, members: [{ pid, startTicks: 1 }] };
  expect(livingMembers(foreign)).toEqual([]);
  expect(signalGroup(foreign, "SIGKILL")).toBe(false);
  expect(signalProcess({ pid, startTicks: 1 }, "SIGKILL")).toBe(false);
  expect(groupMembers(pid)).toHaveLength(1);
});

test("a group with a verified member is signalled whole", async () => {
  const pid = await sleeper();
  const group = newGroup(pid, bootId());
  expect(refreshed(group)).toBe(group);
  const ended = once(children[0] as ChildProcess, "exit");
  expect(signalGroup(group, "SIGKILL")).toBe(true);
  await ended;
  expect(signalGroup(group, "SIGKILL")).toBe(false);
});

test("run records are read back, and anything else in the folder is passed over", () => {
  const folder = mkdtempSync(join(tmpdir(), "pdctl-run-"));
  const record: RunRecord = { name: "prefill", bootId: "b", group: 5, members: [{ pid: 5, startTicks: 9 }] };
  const wrong = { "cut.json": "{", "daemon.json": '{"pid":5,"startTicks":9}', "x.ready": "{}" };
  // kill(-1) reaches every process: a record of group 1 or below is none.
  const dangerous = { "one.json": { ...record, group: 1 }, "minus.json": { ...record, group: -1 } };
  try {
    writeRunRecord(folder, record);
    for (const [name, text] of Object.entries(wrong)) writeFileSync(join(folder, name), text);
    for (const [name, value] of Object.entries(dangerous)) writeFileSync(join(folder, name), JSON.stringify(value));
    expect(runRecords(folder)).toEqual([record]);
    expect(runRecords(join(folder, "none"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
