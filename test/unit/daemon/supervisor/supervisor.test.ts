import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isLiving, readRunRecord } from "../../../../src/lib/shim.ts";
import { actionOf, FleetUnderTest, firstLine } from "./fleet-under-test.ts";

const fleets: FleetUnderTest[] = [];

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close();
});

function fleetOf(options?: ConstructorParameters<typeof FleetUnderTest>[0]): FleetUnderTest {
  const fleet = new FleetUnderTest(options);
  fleets.push(fleet);
  return fleet;
}

const up = actionOf("up", { action: "start", target: "fleet" });
const down = actionOf("down", { action: "stop", target: "fleet" });

async function started(options?: ConstructorParameters<typeof FleetUnderTest>[0]): Promise<FleetUnderTest> {
  const fleet = fleetOf(options);
  await fleet.open();
  expect(await fleet.run(up)).toMatchObject({ outcome: "done" });
  return fleet;
}

test("a fleet starts prefill, decode and router in this order, and a canary goes all the way", async () => {
  const fleet = await started();
  expect(fleet.calls()).toEqual([
    "prefill ready engine",
    "decode ready engine",
    "router ready router",
    "router edges 1 prefill.1 decode.1",
    "router canary any",
  ]);
  expect(fleet.supervisor?.view()).toMatchObject({ epoch: 1, serves: true });
  expect(fleet.entry("prefill").members[0]?.pid).toBe(fleet.entry("prefill").pid);
  expect(fleet.words.map(({ subject }) => subject)).toEqual(expect.arrayContaining(["prefill", "decode", "router"]));
});

test("a stop goes in reverse order, and nobody is left", async () => {
  const fleet = await started();
  const members = ["prefill", "decode", "router"].flatMap((name) => fleet.entry(name).members);
  expect(await fleet.run(down)).toMatchObject({ outcome: "done", words: expect.stringContaining("nobody") as string });
  expect(fleet.calls().filter((line) => line.endsWith("term"))).toEqual(["router term", "decode term", "prefill term"]);
  expect(members.filter((one) => isLiving(one))).toEqual([]);
  expect(await fleet.run(actionOf("again", { action: "stop", target: "fleet" }))).toMatchObject({
    words: "nothing was running",
  });
});

test("a stop while the fleet starts calls the start off", async () => {
  const fleet = fleetOf();
  await fleet.open();
  fleet.supervisor?.begin([up]);
  await fleet.until(() => (fleet.calls().includes("prefill ready engine") ? true : undefined));
  expect(await fleet.run(down)).toMatchObject({ outcome: "done" });
  expect(await fleet.outcomeOf("up")).toMatchObject({
    outcome: "failed",
    words: expect.stringContaining("off") as string,
  });
  expect(fleet.supervisor?.view().processes.map(({ state }) => state)).toEqual(["stopped", "stopped", "stopped"]);
});

test("an engine that ignores SIGTERM is killed when its time is over; a second wish does not wait for it", async () => {
  const fleet = await started({ env: { IGNORES_TERM: "decode" }, engines: { stop: "60s" } });
  fleet.supervisor?.begin([down]);
  await fleet.until(() => (fleet.calls().includes("decode term") ? true : undefined));
  expect(await fleet.run(actionOf("now", { action: "stop", target: "fleet", now: true }))).toMatchObject({
    outcome: "done",
  });
  expect(await fleet.outcomeOf("down")).toMatchObject({ outcome: "done" });
});

test("an engine that is stopped hears no SIGTERM: it is killed without waiting for it", async () => {
  const fleet = await started({ engines: { stop: "60m" } });
  process.kill(fleet.entry("decode").pid ?? 0, "SIGSTOP");
  expect(await fleet.run(actionOf("again", { action: "restart", target: "engine decode" }))).toMatchObject({
    outcome: "done",
  });
  expect(fleet.entry("decode")).toMatchObject({ state: "ready", generation: 2 });
});

test("an engine that ends by itself is seen at once, its router is told, and it comes back on the same port", async () => {
  const fleet = await started();
  const { pid = 0, ready } = fleet.entry("decode");
  process.kill(pid, "SIGKILL");
  await fleet.until(() => (fleet.entry("decode").state === "failed" ? true : undefined));
  expect(fleet.entry("decode").failure).toBe("ended by itself with signal SIGKILL");
  await fleet.until(() => fleet.seen.find((one) => one.kind === "exit" && one.id === "decode"));
  await fleet.until(() => (fleet.calls().includes("router edges 1 prefill.1 decode.1-") ? true : undefined));
  expect(fleet.supervisor?.view().serves).toBe(false);

  expect(await fleet.run(actionOf("back", { action: "start", target: "engine decode" }))).toMatchObject({
    outcome: "done",
  });
  expect(fleet.entry("decode")).toMatchObject({ state: "ready", generation: 2, ready: { url: ready?.url } });
  expect(fleet.calls().at(-1)).toBe("router edges 1 prefill.1 decode.2");
  expect(fleet.supervisor?.view().serves).toBe(true);
});

test("a fleet whose owner was killed runs on, and is adopted as it is", async () => {
  const fleet = fleetOf();
  const owner = await fleet.own([up]);
  expect(JSON.parse(await firstLine(owner))).toMatchObject({ actionId: "up", outcome: "done" });
  owner.kill("SIGKILL");
  await fleet.open();
  expect(fleet.supervisor?.view()).toMatchObject({ serves: true, epoch: 1 });
  expect(fleet.supervisor?.view().processes.map(({ state, generation }) => [state, generation])).toEqual([
    ["ready", 1],
    ["ready", 1],
    ["ready", 1],
  ]);
  expect(fleet.calls().filter((line) => line.includes("ready"))).toHaveLength(3);
  expect(await fleet.run(down)).toMatchObject({ outcome: "done" });
});

test("an engine whose shim was killed is failed, and what it left is ended before it starts again", async () => {
  const fleet = await started();
  const { members } = fleet.entry("prefill");
  fleet.supervisor?.close();
  await fleet.open();
  const record = readRunRecord(join(fleet.places.run, "prefill.json"));
  process.kill(record?.shim.pid ?? 0, "SIGKILL");
  await fleet.until(() => (fleet.entry("prefill").state === "failed" ? true : undefined));
  expect(await fleet.run(actionOf("back", { action: "start", target: "engine prefill" }))).toMatchObject({
    outcome: "done",
  });
  expect(members.filter((one) => isLiving(one))).toEqual([]);
});

test("a program that is not there fails with the system's word", async () => {
  const fleet = fleetOf();
  Object.assign(fleet.saved, { self: ["/nothing/here"] });
  await fleet.open();
  expect(await fleet.run(up)).toMatchObject({
    outcome: "failed",
    details: expect.arrayContaining(["  (system)"]) as [],
  });
  expect(fleet.entry("prefill").state).toBe("failed");
});

test("who does not hold the lock does nothing", async () => {
  const fleet = fleetOf();
  await fleet.open();
  fleet.holdsLock = false;
  expect(await fleet.run(up)).toMatchObject({ outcome: "refused", words: "another process has taken over the fleet" });
  expect(fleet.calls()).toEqual([""]);
});

test("one operation at a time holds a process; another one is refused with the reason", async () => {
  const fleet = await started({ env: { IGNORES_TERM: "decode" }, engines: { stop: "1s" } });
  fleet.supervisor?.begin([actionOf("first", { action: "restart", target: "engine decode" })]);
  expect(fleet.entry("decode").busy).toBe(true);
  expect(await fleet.run(actionOf("second", { action: "restart", target: "engine decode" }))).toMatchObject({
    outcome: "refused",
    words: expect.stringContaining("engine decode is busy: restart") as string,
  });
  expect(await fleet.outcomeOf("first")).toMatchObject({ outcome: "done" });
  expect(fleet.entry("decode")).toMatchObject({ generation: 2, busy: false, state: "ready" });
});

test("a request is failed on every process, and the details say what came of it where", async () => {
  const fleet = await started();
  const outcome = await fleet.run(actionOf("fail", { action: "fail", target: "request r1" }));
  expect(outcome).toMatchObject({ outcome: "done", words: "request r1 failed on every process" });
  expect(outcome.details.map((line) => line.split(":")[0])).toEqual(["prefill", "decode", "router"]);
  expect(fleet.calls().slice(-3).sort()).toEqual(["decode fail r1", "prefill fail r1", "router fail r1"]);
});

test("what the healer wants is stale once its evidence is gone, and nothing is done", async () => {
  const fleet = await started();
  fleet.looks = async (id) => ({ kind: "sample", t: 1, id, health: "ok", requests: [] });
  const verdict = { subject: "request r1", verdict: "wedge" } as const;
  const outcome = await fleet.run(
    actionOf("fail", { action: "fail", target: "request r1", by: "healer", verdict, requests: ["r1"] }),
  );
  expect(outcome).toMatchObject({ outcome: "stale", words: "none of its requests is there any more" });
  expect(fleet.calls().join("\n")).not.toContain("fail");
});

test("a drained engine takes nothing new until it is resumed", async () => {
  const fleet = await started();
  expect(await fleet.run(actionOf("drain", { action: "drain", target: "engine decode" }))).toMatchObject({
    outcome: "done",
  });
  expect(fleet.entry("decode").state).toBe("draining");
  expect(fleet.calls().at(-1)).toBe("router edges 1 prefill.1 decode.1-");
  expect(await fleet.run(actionOf("resume", { action: "resume", target: "engine decode" }))).toMatchObject({
    outcome: "done",
  });
  expect(fleet.entry("decode").state).toBe("ready");
  expect(fleet.calls().at(-1)).toBe("router edges 1 prefill.1 decode.1");
});

test("an edge is quarantined for the daemons that come later, too, until it is let in again", async () => {
  const fleet = await started();
  const edge = { prefill: "prefill", decode: "decode" };
  await fleet.run(actionOf("out", { action: "quarantine", target: "edge prefill:decode" }));
  fleet.supervisor?.close();
  await fleet.open();
  expect(fleet.supervisor?.view().quarantined).toEqual([edge]);
  await fleet.run(actionOf("in", { action: "resume", target: "edge prefill:decode" }));
  expect(fleet.supervisor?.view().quarantined).toEqual([]);
});

test("a canary over one edge is an observation", async () => {
  const fleet = await started();
  await fleet.run(actionOf("canary", { action: "canary", target: "edge prefill:decode" }));
  expect(fleet.seen).toContainEqual(expect.objectContaining({ kind: "canary", edge: "prefill:decode", result: "ok" }));
});

test("who loses the lock while it waits for an end kills nobody", async () => {
  const fleet = await started({ env: { IGNORES_TERM: "decode" }, engines: { stop: "1s" } });
  const { members } = fleet.entry("decode");
  fleet.supervisor?.begin([actionOf("stop", { action: "stop", target: "engine decode" })]);
  await fleet.until(() => (fleet.calls().includes("decode term") ? true : undefined));
  fleet.holdsLock = false;
  expect(await fleet.outcomeOf("stop")).toMatchObject({
    outcome: "failed",
    words: "Another process has taken over the fleet.",
  });
  expect(members.filter((one) => isLiving(one))).toEqual(members);
});
