import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ActorLock, replaceActorLock, takeActorLock } from "../../../src/lib/actor-lock.ts";
import { until } from "../../../src/lib/wait.ts";

let path = "";
const locks: (ActorLock | undefined)[] = [];

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "pdctl-lock-")), "actor.lock");
});
afterEach(() => {
  for (const lock of locks.splice(0)) lock?.release();
  rmSync(join(path, ".."), { recursive: true, force: true });
});

function taken(): ActorLock | undefined {
  const lock = takeActorLock(path);
  locks.push(lock);
  return lock;
}

test("one holds it, and the next one only after it lets go", () => {
  const first = taken();
  expect(first?.stillHeld()).toBe(true);
  expect(taken()).toBeUndefined();
  first?.release();
  expect(first?.stillHeld()).toBe(false);
  expect(taken()?.stillHeld()).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("it ends with the process that holds it, however that ends", async () => {
  const module = JSON.stringify(`${process.cwd()}/src/lib/actor-lock.ts`);
  const script = `const {takeActorLock} = await import(${module});
    globalThis.lock = takeActorLock(${JSON.stringify(path)}); console.log(lock !== undefined); setInterval(() => lock, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [said] = (await once(holder.stdout, "data")) as [Buffer];
    expect(said.toString()).toBe("true\n");
    expect(taken()).toBeUndefined();
  } finally {
    holder.kill("SIGKILL");
  }
  const signal = AbortSignal.timeout(25_000);
  expect(await until(() => taken(), { everyMs: 20, limitMs: 25_000, signal })).toBeDefined();
});

test("one that is replaced finds out, and letting go of it changes nothing for the new one", () => {
  const old = taken();
  const now = replaceActorLock(path);
  locks.push(now);
  expect([old?.stillHeld(), now.stillHeld()]).toEqual([false, true]);
  expect(taken()).toBeUndefined();
  old?.release();
  expect(taken()).toBeUndefined();
  now.release();
  expect(taken()?.stillHeld()).toBe(true);
});

test("a lock whose file was deleted is held no more", () => {
  const lock = taken();
  rmSync(path);
  expect(lock?.stillHeld()).toBe(false);
});
