import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { processStat } from "../../../../src/lib/processes.ts";
import { actionOf, FleetUnderTest } from "./fleet-under-test.ts";

const fleets: FleetUnderTest[] = [];

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close();
});

async function opened(options: ConstructorParameters<typeof FleetUnderTest>[0] = {}): Promise<FleetUnderTest> {
  const fleet = new FleetUnderTest(options);
  fleets.push(fleet);
  await fleet.open();
  return fleet;
}

const startPrefill = actionOf("start", { action: "start", target: "engine prefill" });

test.each([
  { trait: "DIES", words: "prefill did not start: The pool is too small.", code: "  (pool-too-small)" },
  { trait: "CRASHES", words: "ended with signal SIGKILL while it was starting", code: "  (engine-start-failed)" },
  { trait: "CRASHES", words: "| in the middle", code: "  (engine-start-failed)" },
])("a process that ends while it starts fails with its own words: $trait", async ({ trait, words, code }) => {
  const fleet = await opened({ env: { [trait]: "prefill" } });
  const outcome = await fleet.run(startPrefill);
  expect(outcome).toMatchObject({ outcome: "failed", words: expect.stringContaining(words) as string });
  expect(outcome.details).toContain(code);
  expect(fleet.entry("prefill")).toMatchObject({ state: "failed", failure: outcome.words });
});

test("the words of an earlier run are not taken for those of this one", async () => {
  const fleet = await opened({ env: { DIES: "prefill" } });
  await fleet.run(startPrefill);
  fleet.supervisor?.close();
  Object.assign(fleet.saved, { env: { ...fleet.saved.env, DIES: "", CRASHES: "prefill" } });
  await fleet.open();
  const outcome = await fleet.run(actionOf("again", { action: "start", target: "engine prefill" }));
  expect(outcome.words).toContain("in the middle");
  expect(outcome.words).not.toContain("too small");
});

test("a start whose files cannot be written has started nothing, and a later one is as good as the first", async () => {
  const fleet = await opened();
  // Stands in the way of the launch file, as a full disk would.
  const obstacle = join(fleet.places.run, "prefill.launch");
  mkdirSync(obstacle);
  expect(await fleet.run(startPrefill)).toMatchObject({ outcome: "failed", startedNothing: true });
  rmSync(obstacle, { recursive: true });
  const { startedNothing } = await fleet.run({ ...startPrefill, id: "free" });
  expect(startedNothing).toBeUndefined();
  expect(fleet.entry("prefill").state).toBe("ready");
});

test("a process that is never ready fails at its deadline, and nobody of it is left", async () => {
  const fleet = await opened({ env: { NEVER_READY: "prefill", HAS_CHILD: "prefill" }, engines: { start: "2s" } });
  const outcome = await fleet.run(startPrefill);
  expect(outcome).toMatchObject({ outcome: "failed", words: "prefill was not ready within 2 s." });
  const child = fleet.calls().find((line) => line.includes("child"));
  const pid = Number(child?.split(" ").at(-1));
  expect(pid).toBeGreaterThan(1);
  expect(processStat(pid)).toBeUndefined();
});

test("what a process leaves behind is ended with it", async () => {
  const fleet = await opened({ env: { HAS_CHILD: "prefill" } });
  await fleet.run(startPrefill);
  const members = await fleet.until(() => {
    const found = fleet.entry("prefill").members;
    return found.length === 2 ? found : undefined;
  });
  await fleet.run(actionOf("stop", { action: "stop", target: "engine prefill" }));
  expect(fleet.entry("prefill").state).toBe("stopped");
  expect(members.flatMap(({ pid }) => processStat(pid) ?? [])).toEqual([]);
});

test("a port that was picked and that somebody else has by now is left to them", async () => {
  const fleet = await opened();
  await fleet.run(startPrefill);
  const before = fleet.entry("prefill").ready?.url ?? "";
  // Taken at the moment when the engine has ended and is not back yet.
  await fleet.run(actionOf("stop", { action: "stop", target: "engine prefill" }));
  const thief = createServer().listen(Number(new URL(before).port), "127.0.0.1");
  await once(thief, "listening");
  try {
    expect(await fleet.run(actionOf("back", { action: "start", target: "engine prefill" }))).toMatchObject({
      outcome: "done",
    });
    expect(fleet.entry("prefill").ready?.url).not.toBe(before);
  } finally {
    thief.close();
  }
});

test("where one fails the others start, and the fleet is whole when it comes back", async () => {
  const fleet = await opened({ env: { DIES: "decode" } });
  const outcome = await fleet.run(actionOf("up", { action: "start", target: "fleet" }));
  expect(outcome).toMatchObject({ outcome: "failed", words: "decode did not start: The pool is too small." });
  expect(fleet.supervisor?.view().processes.map(({ state }) => state)).toEqual(["ready", "failed", "ready"]);
  expect(fleet.supervisor?.view().serves).toBe(false);
});

test.each([
  { knob: "start:2", action: "start", states: ["ready", "ready", "ready"] },
  { knob: "start:4", action: "start", states: ["ready", "ready", "ready"] },
  { knob: "stop:2", action: "stop", states: ["stopped", "stopped", "stopped"] },
] as const)("an owner killed at $knob leaves the rest to the next one", async ({ knob, action, states }) => {
  const fleet = new FleetUnderTest();
  fleets.push(fleet);
  const owner = await fleet.own([actionOf("a", { action, target: "fleet" })], {
    PDCTL_TEST_LIMITS: "1",
    PDCTL_TEST_DIE_AT: knob,
  });
  await once(owner, "exit");
  await fleet.open();
  expect(await fleet.outcomeOf("a")).toMatchObject({ outcome: "done" });
  expect(fleet.supervisor?.view().processes.map(({ state }) => state)).toEqual(states);
});
