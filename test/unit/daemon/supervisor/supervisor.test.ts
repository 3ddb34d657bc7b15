import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ProcessTable } from "../../../../src/daemon/supervisor/process-table.ts";
import { Supervisor } from "../../../../src/daemon/supervisor/supervisor.ts";
import type { ProcessSpec } from "../../../../src/drivers/process-spec.ts";
import { fileLog } from "../../../../src/lib/log.ts";
import { livingMembers } from "../../../../src/lib/process-group.ts";
import { groupMembers } from "../../../../src/lib/processes.ts";
import { runRecords } from "../../../../src/lib/run-records.ts";
import { until } from "../../../../src/lib/wait.ts";

const never = new AbortController().signal;
const atOnce = AbortSignal.abort();

let folder: string;
let table: ProcessTable;
let supervisor: Supervisor;
const started: ProcessSpec[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-supervisor-"));
  table = new ProcessTable(
    () => performance.now(),
    () => undefined,
  );
  supervisor = new Supervisor({ table, run: folder, logs: folder, log: fileLog(join(folder, "daemon.log")) });
});

afterEach(async () => {
  for (const spec of started.splice(0)) await supervisor.stop(spec, atOnce);
  supervisor.close();
  rmSync(folder, { recursive: true, force: true });
});

function specOf(fixture: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  const readyFile = join(folder, `${fixture}.ready`);
  const spec: ProcessSpec = {
    name: fixture,
    role: "prefill",
    driver: "native",
    argv: [process.execPath, join(import.meta.dirname, "../../../fixtures", `${fixture}.mjs`), readyFile],
    env: {},
    cwd: folder,
    readyFile,
    startMs: 60_000,
    stopMs: 60_000,
    ...more,
  };
  table.add(spec);
  started.push(spec);
  return spec;
}

function pidOf({ name }: ProcessSpec): number {
  return table.get(name).pid ?? 0;
}

test("a process that serves is ready, is on record, and leaves nothing when it is stopped", async () => {
  const spec = specOf("serves");
  const ready = await supervisor.start(spec, never);
  expect(ready.pid).toBe(pidOf(spec));
  expect(table.get("serves").state).toBe("ready");
  const [record] = runRecords(folder);
  expect(record).toMatchObject({ name: "serves", group: ready.pid });
  if (record !== undefined) expect(livingMembers(record).map(({ pid }) => pid)).toEqual([ready.pid]);

  await supervisor.stop(spec, never);
  expect(table.get("serves").state).toBe("stopped");
  expect(groupMembers(ready.pid)).toEqual([]);
  expect(readdirSync(folder).filter((name) => !name.endsWith(".log"))).toEqual([]);
});

test.each([
  { fixture: "dies-at-start", code: "port-in-use", words: "dies-at-start did not start: Port 9000 is in use." },
  {
    fixture: "crashes-at-start",
    code: "engine-start-failed",
    words: "ended with signal SIGKILL while it was starting",
  },
  { fixture: "crashes-at-start", code: "engine-start-failed", words: "| in the middle" },
])("a process that ends while it starts fails with its own words: $fixture", async ({ fixture, code, words }) => {
  const start = supervisor.start(specOf(fixture), never);
  await expect(start).rejects.toMatchObject({ code, message: expect.stringContaining(words) as string });
  expect(table.get(fixture).state).toBe("failed");
  expect(table.get(fixture).cause).toContain(words);
});

test("a program that is not there is an error of the system", async () => {
  const spec = specOf("serves", { argv: [join(folder, "nothing-here")] });
  await expect(supervisor.start(spec, never)).rejects.toMatchObject({ code: "system" });
  expect(table.get("serves").state).toBe("failed");
});

test("a process that is never ready fails at its deadline, and its group is empty", async () => {
  const spec = specOf("never-ready", { startMs: 300 });
  await expect(supervisor.start(spec, never)).rejects.toMatchObject({ code: "engine-start-timeout" });
  expect(groupMembers(pidOf(spec))).toEqual([]);
});

test("a start that is called off leaves nothing", async () => {
  const off = new AbortController();
  const spec = specOf("never-ready");
  const start = supervisor.start(spec, off.signal);
  const settled = expect(start).rejects.toThrow("called off");
  await until(() => pidOf(spec) || undefined, { everyMs: 5, limitMs: 30_000, signal: never });
  off.abort(new Error("called off"));
  await settled;
  expect(groupMembers(pidOf(spec))).toEqual([]);
});

test("a process that ignores SIGTERM is killed when its time is over", async () => {
  const spec = specOf("ignores-sigterm", { stopMs: 200 });
  await supervisor.start(spec, never);
  await supervisor.stop(spec, never);
  expect(table.get(spec.name).state).toBe("stopped");
  expect(groupMembers(pidOf(spec))).toEqual([]);
});

test("the second Ctrl-C does not wait for a process that ignores SIGTERM", async () => {
  const spec = specOf("ignores-sigterm");
  await supervisor.start(spec, never);
  const now = new AbortController();
  const stop = supervisor.stop(spec, now.signal);
  now.abort();
  await stop;
  expect(groupMembers(pidOf(spec))).toEqual([]);
});

test("a grandchild that outlives its parent is found and ended", async () => {
  const spec = specOf("leaves-grandchild", { stopMs: 300 });
  await supervisor.start(spec, never);
  expect(groupMembers(pidOf(spec))).toHaveLength(2);
  await supervisor.stop(spec, never);
  expect(groupMembers(pidOf(spec))).toEqual([]);
});

test("a process that ends by itself is failed with its exit code, and its group is cleared", async () => {
  const spec = specOf("leaves-grandchild");
  const { url } = await supervisor.start(spec, never);
  get(`${url}/end`).on("error", () => undefined);
  const isFailed = (): true | undefined => (table.get(spec.name).state === "failed" ? true : undefined);
  await until(isFailed, { everyMs: 10, limitMs: 30_000, signal: never });
  expect(table.get(spec.name).cause).toBe("ended by itself with exit code 7");
  const isCleared = (): true | undefined => (existsSync(join(folder, `${spec.name}.json`)) ? undefined : true);
  expect(await until(isCleared, { everyMs: 10, limitMs: 30_000, signal: never })).toBe(true);
  expect(groupMembers(pidOf(spec))).toEqual([]);
});
