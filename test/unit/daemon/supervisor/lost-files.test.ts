import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isLiving, readRunRecord } from "../../../../src/lib/shim.ts";
import { actionOf, FleetUnderTest, firstLine } from "./fleet-under-test.ts";

const fleets: FleetUnderTest[] = [];

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close();
});

const up = actionOf("up", { action: "start", target: "fleet" });
const down = actionOf("down", { action: "stop", target: "fleet" });

type Damage = { readonly what: string; readonly lost?: readonly string[]; readonly cut?: readonly string[] };

function damage(fleet: FleetUnderTest, { lost = [], cut = [] }: Damage): void {
  for (const file of lost) rmSync(join(fleet.places.run, file));
  for (const file of cut) writeFileSync(join(fleet.places.run, file), '{"x');
}

/** A fleet that runs, whose decode has been seen with its members. */
async function serving(): Promise<FleetUnderTest> {
  const fleet = new FleetUnderTest();
  fleets.push(fleet);
  await fleet.open();
  expect(await fleet.run(up)).toMatchObject({ outcome: "done" });
  await fleet.until(() => existsSync(join(fleet.places.run, "decode.members.json")) || undefined);
  return fleet;
}

const damages: Damage[] = [
  { what: "its record lost", lost: ["decode.json"] },
  { what: "its record cut", cut: ["decode.json"] },
  { what: "its record and its members lost", lost: ["decode.json", "decode.members.json"] },
  { what: "all but its ready file lost", lost: ["decode.json", "decode.members.json", "decode.launch"] },
  { what: "all but its ready file cut", cut: ["decode.json", "decode.members.json", "decode.launch"] },
  { what: "its ready file lost", lost: ["decode.ready"] },
  { what: "its ready file cut and its record lost", cut: ["decode.ready"], lost: ["decode.json"] },
];

test.each(damages)("an engine that lives is adopted as it is, with $what", async (files) => {
  const fleet = await serving();
  const { pid, ready, members } = fleet.entry("decode");
  fleet.supervisor?.close();
  damage(fleet, files);
  await fleet.open();
  expect(fleet.entry("decode")).toMatchObject({ state: "ready", generation: 1, pid, ready });
  expect(fleet.supervisor?.view().serves).toBe(true);
  // Its files are there again, for the daemon after this one.
  const record = join(fleet.places.run, "decode.json");
  const shim = await fleet.until(() => readRunRecord(record)?.shim);
  await fleet.until(() => existsSync(join(fleet.places.run, "decode.launch")) || undefined);
  expect(await fleet.run(down)).toMatchObject({ outcome: "done" });
  expect(fleet.calls().filter((line) => line.startsWith("decode ready"))).toHaveLength(1);
  expect([...members, shim].filter(isLiving)).toEqual([]);
});

test.each(damages)("an engine that lives is left alone by its daemon, with $what", async (files) => {
  const fleet = await serving();
  const { pid } = fleet.entry("decode");
  damage(fleet, files);
  await fleet.until(() => readRunRecord(join(fleet.places.run, "decode.json"))?.shim);
  expect(fleet.entry("decode")).toMatchObject({ state: "ready", generation: 1, pid });
  expect(fleet.calls()).not.toContain("decode term");
});

test("an engine whose shim and record are gone is failed, and what it left is ended", async () => {
  const fleet = await serving();
  const { members } = fleet.entry("decode");
  fleet.supervisor?.close();
  const record = readRunRecord(join(fleet.places.run, "decode.json"));
  process.kill(record?.shim.pid ?? 0, "SIGKILL");
  rmSync(join(fleet.places.run, "decode.json"));
  await fleet.open();
  expect(members.filter(isLiving)).toEqual([]);
  expect(await fleet.run(actionOf("again", { action: "start", target: "fleet" }))).toMatchObject({ outcome: "done" });
});

test("a process that the configuration does not name any more is ended, though all its files are lost", async () => {
  const fleet = new FleetUnderTest();
  fleets.push(fleet);
  const owner = await fleet.own([up]);
  expect(JSON.parse(await firstLine(owner))).toMatchObject({ outcome: "done" });
  owner.kill("SIGKILL");
  const record = readRunRecord(join(fleet.places.run, "decode.json"));
  for (const file of ["decode.json", "decode.launch"]) rmSync(join(fleet.places.run, file));
  const engines = fleet.saved.config.engines.map((one) => (one.name === "decode" ? { ...one, name: "other" } : one));
  Object.assign(fleet.saved.config, { engines });
  Object.assign(fleet.saved.models, { other: "/m.gguf" });
  await fleet.open();
  expect([record?.shim, record?.child].filter((one) => one !== undefined && isLiving(one))).toEqual([]);
});

test("the epoch does not go back though the files that say it are lost: the router knows it", async () => {
  const fleet = await serving();
  const again = actionOf("again", { action: "co-restart", target: "fleet" });
  expect(await fleet.run(again)).toMatchObject({ outcome: "done" });
  fleet.supervisor?.close();
  for (const file of [fleet.places.intents, fleet.places.intent]) rmSync(file);
  await fleet.open();
  expect(fleet.supervisor?.view()).toMatchObject({ serves: true, epoch: 2 });
});
