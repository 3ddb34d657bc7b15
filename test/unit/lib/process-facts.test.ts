import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { groupFacts } from "../../../src/lib/process-facts.ts";
import { type ProcessIdentity, processStat } from "../../../src/lib/processes.ts";

async function running(script: string): Promise<{ readonly child: ChildProcess; readonly identity: ProcessIdentity }> {
  const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const { pid = 0 } = child;
  return { child, identity: { pid, startTicks: processStat(pid)?.startTicks ?? 0 } };
}

async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 10 });
}

test("the processor time of a group that works grows, and stands while it is stopped", async () => {
  const busy = await running("for (;;);");
  const idle = await running("setInterval(() => 0, 1e6)");
  const members = [idle.identity, busy.identity];
  const before = groupFacts(members)?.cpuSeconds ?? 0;
  await eventually(() => expect(groupFacts(members)?.cpuSeconds).toBeGreaterThan(before + 0.1));
  for (const { identity } of [idle, busy]) process.kill(identity.pid, "SIGSTOP");
  await eventually(() => expect(members.map((one) => groupFacts([one])?.state)).toEqual(["T", "T"]));
  const stopped = groupFacts(members)?.cpuSeconds;
  expect(groupFacts(members)).toMatchObject({ state: "T", living: 2, cpuSeconds: stopped });
});

test("the memory of a group is the sum of its members'", async () => {
  const one = await running("setInterval(() => 0, 1e6)");
  const own = { pid: process.pid, startTicks: processStat(process.pid)?.startTicks ?? 0 };
  const both = groupFacts([own, one.identity])?.rssBytes ?? 0;
  expect(both).toBeGreaterThan(groupFacts([one.identity])?.rssBytes ?? 0);
});

test("who has ended is told apart from who was never there", async () => {
  const { child, identity } = await running("");
  if (child.exitCode === null) await once(child, "exit");
  expect(groupFacts([identity])).toMatchObject({ state: "X", living: 0, cpuSeconds: 0, rssBytes: 0 });
  expect(groupFacts([])).toBeUndefined();
});

test("a number that another process has by now is not counted", () => {
  expect(groupFacts([{ pid: process.pid, startTicks: 1 }])).toMatchObject({ state: "X", living: 0 });
});
