import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runRecordSchema } from "../../../src/contract/run-record.ts";
import { writeLaunchFile } from "../../../src/lib/launch-file.ts";
import { bootId, processStat } from "../../../src/lib/processes.ts";
import {
  askForFiles,
  descendants,
  isLiving,
  relaunch,
  shimPath,
  signalMembers,
  startShim,
} from "../../../src/lib/shim.ts";
import { Held } from "./support/held.ts";

let held: Held;
beforeEach(() => {
  held = new Held();
});
afterEach(async () => await held.end());

test("the record says who is held, in the words of the contract, and is its owner's only", async () => {
  const record = await held.start("sleep 1000");
  expect(runRecordSchema.parse(JSON.parse(readFileSync(held.path("one.json"), "utf8")))).toEqual(record);
  expect(record).toMatchObject({ name: "one", generation: 1, bootId: bootId(), empty: false, droppedBytes: 0 });
  expect(record.pidNamespace).toBe(String(statSync("/proc/self/ns/pid").ino));
  expect(record.session).toBe(record.shim.pid);
  expect(descendants(record.shim)).toContainEqual(record.child);
  expect(statSync(held.path("one.json")).mode & 0o777).toBe(0o600);
});

test("the program gets its arguments, folder and environment, no input, and no file of ours", async () => {
  const args = ["sh", "-c", 'pwd; env | sort; cat; ls /proc/self/fd; echo "$1|$2"', "sh", "two\nlines", "ü=%s"];
  await held.start("", { args, env: { PATH: "/usr/bin:/bin", A: "b=c", EMPTY: "" } });
  await held.untilEmpty();
  const lines = readFileSync(held.path("one.log"), "utf8").split("\n");
  expect(lines.slice(0, 2)).toEqual([held.folder, "A=b=c"]);
  expect(lines).toContain("EMPTY=");
  // 3 is the folder that ls reads.
  expect(lines.slice(lines.indexOf("0"), -1)).toEqual(["0", "1", "2", "3", "two", "lines|ü=%s"]);
});

test("the exit status is on record, and the shim is gone then", async () => {
  const { shim } = await held.start("exit 7");
  expect((await held.untilEmpty()).exit).toEqual({ code: 7 });
  await held.until(() => !isLiving(shim) || undefined);
  expect(readdirSync(held.folder).toSorted()).toEqual(["one.json", "one.launch"]);
});

test("a program that is killed is on record with its signal", async () => {
  const { child } = await held.start("sleep 1000");
  if (child !== undefined) await signalMembers([child], "SIGKILL");
  expect((await held.untilEmpty()).exit).toEqual({ signal: "SIGKILL" });
});

test("a program that is not there is on record with the reason", async () => {
  await held.start("", { args: ["/no/such/program"] });
  const { exit } = await held.untilEmpty();
  expect(exit).toEqual({ words: "/no/such/program cannot be run: No such file or directory" });
});

test("a folder that is not there is on record with the reason", async () => {
  await held.start("true", { cwd: "/no/such/folder" });
  expect((await held.untilEmpty()).exit?.words).toBe(
    "the folder /no/such/folder cannot be entered: No such file or directory",
  );
});

test("SIGTERM to the shim reaches the program once", async () => {
  const { shim } = await held.start("trap 'echo told' TERM; echo ready; while :; do sleep 0.05; done");
  await held.untilHolds("one.log", "ready");
  await signalMembers([shim], "SIGTERM");
  await held.untilHolds("one.log", "told");
  expect(isLiving(shim)).toBe(true);
});

test("a child that ignores SIGTERM is killed after the grace, and only then the group is empty", async () => {
  const script = "(trap '' TERM; echo stays; exec sleep 1000) & trap 'exit 0' TERM; echo ready; wait";
  const { shim } = await held.start(script, { graceMs: 300 });
  await held.untilHolds("one.log", "stays");
  await held.untilHolds("one.log", "ready");
  const others = descendants(shim);
  await signalMembers([shim], "SIGTERM");
  expect((await held.untilEmpty()).exit).toEqual({ code: 0 });
  expect(others.length).toBeGreaterThan(1);
  expect(others.filter(isLiving)).toEqual([]);
});

test("descendants get the grace: one that ends in time ends by itself", async () => {
  const script = "(trap 'sleep 0.2; echo tidy > tidied; exit' TERM; while :; do sleep 0.05; done) & sleep 0.2; exit 3";
  await held.start(script, { graceMs: 20_000 });
  expect((await held.untilEmpty()).exit).toEqual({ code: 3 });
  expect(readFileSync(held.path("tidied"), "utf8")).toBe("tidy\n");
});

test("daemons in sessions of their own are ended, too", async () => {
  const { shim } = await held.start("setsid sh -c 'sleep 1001 & sleep 1002' & setsid -f sleep 1003; echo ready; wait");
  await held.untilHolds("one.log", "ready");
  const others = await held.until(() => {
    const found = descendants(shim);
    return found.length >= 5 ? found : undefined;
  });
  const { child } = held.recorded();
  if (child !== undefined) await signalMembers([child], "SIGKILL");
  await held.untilEmpty();
  expect(others.filter(isLiving)).toEqual([]);
});

test("the program dies with a shim that is killed", async () => {
  const { shim, child } = await held.start("exec sleep 1000");
  await signalMembers([shim], "SIGKILL");
  await held.until(() => (child !== undefined && !isLiving(child)) || undefined);
  expect(held.recorded().empty).toBe(false);
});

test("a shim outlives whoever started it", async () => {
  held.launchFile("sleep 1000");
  const starter = `const {startShim} = await import(${JSON.stringify(`${process.cwd()}/src/lib/shim.ts`)});
    await startShim(${JSON.stringify(held.path("one.launch"))}); process.kill(process.pid, "SIGKILL");`;
  const { signal } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", starter], {
    timeout: 25_000,
  });
  expect(signal).toBe("SIGKILL");
  const { shim, child } = held.recorded();
  expect([shim, child].every((one) => one !== undefined && isLiving(one))).toBe(true);
});

test("no second one is started while the first lives", async () => {
  const { generation } = await held.start("sleep 1000");
  await expect(startShim(held.path("one.launch"))).rejects.toThrow(/one still runs, says .*one\.json/);
  await expect(relaunch(held.path("one.launch"))).rejects.toThrow(/one still runs/);
  expect(held.recorded().generation).toBe(generation);
});

test("relaunch runs the next generation in a session of its own, and returns", async () => {
  const first = await held.start("echo run; sleep 1000");
  await signalMembers(descendants(first.shim), "SIGKILL");
  await held.untilEmpty();
  await held.until(() => !isLiving(first.shim) || undefined);
  await relaunch(held.path("one.launch"));
  const second = held.recorded();
  expect(second).toMatchObject({ generation: 2, empty: false });
  expect(second.shim.pid).not.toBe(first.shim.pid);
  expect(processStat(second.shim.pid)?.parent).not.toBe(process.pid);
  await held.untilHolds("one.log", "run\nrun\n");
});

test("a launch file that is none is refused in words", async () => {
  const file = held.launchFile("true");
  writeLaunchFile(held.path("one.launch"), { ...file, args: [] });
  await expect(startShim(held.path("one.launch"))).rejects.toThrow(/one\.launch: arg is missing/);
  rmSync(held.path("one.launch"));
  await expect(startShim(held.path("one.launch"))).rejects.toThrow(/one\.launch cannot be read: No such file/);
});

test("only the very process that is meant is signalled", async () => {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  const stat = processStat(child.pid ?? 0);
  if (stat === undefined) throw new Error("no process");
  const stranger = { pid: stat.pid, startTicks: stat.startTicks + 1 };
  expect(await signalMembers([stranger], "SIGKILL")).toEqual([{ kind: "gone" }]);
  expect(isLiving(stat)).toBe(true);
  expect(await signalMembers([stranger, stat], "SIGKILL")).toEqual([{ kind: "gone" }, { kind: "sent" }]);
  await held.until(() => !isLiving(stat) || undefined);
});

test.each([["0:1"], ["1:1"], ["-1:1"], ["12"], ["12:x"]])("the shim refuses to signal %s", (words) => {
  const { status, stderr } = spawnSync(shimPath(), ["signal", "SIGTERM", words], { encoding: "utf8" });
  expect(status).toBe(2);
  expect(stderr).toContain("PID:STARTTICKS was expected");
});

test("a shim that is asked for its lost files writes them again, even where its spare is gone", async () => {
  const { shim } = await held.start("sleep 1000");
  const [record, launch] = ["one.json", "one.launch"].map((file) => readFileSync(held.path(file), "utf8"));
  for (const file of ["one.json", ".one.json.next"]) rmSync(held.path(file));
  writeFileSync(held.path("one.launch"), "pdctl-launch 1\0name=");
  await askForFiles(shim);
  expect(await held.untilHolds("one.launch", "sleep 1000")).toBe(launch);
  expect(await held.untilHolds("one.json", "one")).toBe(record);
});

test.each(["hold", "relaunch"] as const)(
  "while a shim holds the program a second one is refused, though the record is lost: %s",
  async (how) => {
    const { shim } = await held.start("sleep 1000");
    rmSync(held.path("one.json"));
    const second = how === "hold" ? startShim(held.path("one.launch")) : relaunch(held.path("one.launch"));
    await expect(second).rejects.toThrow(`one still runs, held by process ${shim.pid}: end it first`);
    await askForFiles(shim);
    await held.untilHolds("one.json", "one");
  },
);
