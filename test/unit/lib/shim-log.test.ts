import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shimPath } from "../../../src/lib/shim.ts";
import { Held } from "./support/held.ts";

let held: Held;
beforeEach(() => {
  held = new Held();
});
afterEach(async () => await held.end());

const gigabyte = 1_000_000_000;

function bytesOf(name: string): number {
  return existsSync(held.path(name)) ? statSync(held.path(name)).size : 0;
}

test("output and errors are in the log, the last line, too", async () => {
  await held.start("echo out; echo err >&2; printf last");
  await held.untilEmpty();
  expect(readFileSync(held.path("one.log"), "utf8")).toBe("out\nerr\nlast");
  expect(statSync(held.path("one.log")).mode & 0o777).toBe(0o600);
});

test("a log that is deleted is made anew, and none of the later lines is lost", async () => {
  await held.start("echo before; while [ ! -e go ]; do sleep 0.02; done; echo after; sleep 1000");
  await held.untilHolds("one.log", "before");
  rmSync(held.path("one.log"));
  spawnSync("touch", [held.path("go")]);
  expect(await held.untilHolds("one.log", "after")).toBe("after\n");
  expect(held.recorded().droppedBytes).toBe(0);
});

test("the log is rotated in whole lines, and only so many files are kept", async () => {
  await held.start("seq 1 20000", { logBytes: 10_000, logFiles: 3 });
  await held.untilEmpty();
  const names = readdirSync(held.folder).filter((name) => name.startsWith("one.log"));
  expect(names.toSorted()).toEqual(["one.log", "one.log.1", "one.log.2"]);
  const texts = ["one.log.2", "one.log.1", "one.log"].map((name) => readFileSync(held.path(name), "utf8"));
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(10_000);
  const lines = texts.join("").trimEnd().split("\n").map(Number);
  expect(lines.at(-1)).toBe(20_000);
  expect(lines).toEqual(lines.map((_, index) => 20_000 - lines.length + 1 + index));
});

test("a flood does not hold the program up, and every byte is in the log or counted", async () => {
  const bytes = 80_000_000;
  await held.start(`head -c ${bytes} /dev/zero; echo`, { logBytes: gigabyte });
  const { exit, droppedBytes } = await held.untilEmpty();
  expect(exit).toEqual({ code: 0 });
  expect(bytesOf("one.log") + droppedBytes).toBe(bytes + 1);
});

test("a full disk does not hold the program up, and what is lost is counted", async () => {
  await held.start("seq 1 100000; echo done > done", { log: "/dev/full" });
  const { exit, droppedBytes } = await held.untilEmpty();
  expect(exit).toEqual({ code: 0 });
  expect(readFileSync(held.path("done"), "utf8")).toBe("done\n");
  expect(droppedBytes).toBe(588_895);
});

test("a log that nobody may write, or that a reader holds up, does not either", async () => {
  spawnSync("mkfifo", [held.path("fifo")]);
  await held.start("seq 1 100000", { log: held.path("fifo") });
  expect(await held.untilEmpty()).toMatchObject({ exit: { code: 0 }, droppedBytes: 588_895 });
  await held.start("seq 1 100000", { log: held.path("no/such/folder/log") });
  expect(await held.untilEmpty()).toMatchObject({ exit: { code: 0 }, droppedBytes: 588_895 });
});

test("a file limit is an error of the write, not the end of the shim", async () => {
  const { record } = held.launchFile("seq 1 100000");
  // In blocks of 512 bytes.
  const { status } = spawnSync("sh", ["-c", `ulimit -f 200; exec "${shimPath()}" hold "${held.path("one.launch")}"`]);
  expect(status).toBe(0);
  const { exit, droppedBytes } = held.recorded(record);
  expect(exit).toEqual({ code: 0 });
  expect(bytesOf("one.log")).toBe(102_400);
  expect(droppedBytes).toBe(588_895 - 102_400);
});

// A file system of its own needs a mount namespace, which not every machine gives.
const small = ["-rm", "sh", "-c"];
const canMount = spawnSync("unshare", [...small, "mount -t tmpfs -o size=64k none /mnt"]).status === 0;

test.runIf(canMount)("the record is written on a full disk", () => {
  const disk = "/mnt";
  held.launchFile(`cat /dev/zero > ${disk}/fill; exit 5`, { record: `${disk}/one.json`, log: `${disk}/one.log` });
  const script = `mount -t tmpfs -o size=64k none ${disk} && "${shimPath()}" hold "${held.path("one.launch")}" && cat ${disk}/one.json`;
  const { status, stdout, stderr } = spawnSync("unshare", [...small, script], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ exit: { code: 5 }, empty: true });
});
