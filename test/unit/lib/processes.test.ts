import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { bootId, isAlive, processStat } from "../../../src/lib/processes.ts";

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
  expect(stat).toMatchObject({ pid, parent: process.pid });
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
