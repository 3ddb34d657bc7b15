import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LaunchFile, readLaunchFile, writeLaunchFile } from "../../../src/lib/launch-file.ts";

let path = "";
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "pdctl-launch-")), "one.launch");
});
afterEach(() => rmSync(join(path, ".."), { recursive: true, force: true }));

const file: LaunchFile = {
  ...{ name: "one", generation: 3, cwd: "/a b", log: "/l", logBytes: 10, logFiles: 2, record: "/r", graceMs: 5 },
  args: ["sh", "", "a=b", "two\nlines", "ü"],
  env: { A: "b=c\nd", EMPTY: "" },
};

test("what is written is read", () => {
  writeLaunchFile(path, file);
  expect(readLaunchFile(path)).toEqual(file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("none is undefined, and one that is cut or another's is refused", () => {
  expect(readLaunchFile(path)).toBeUndefined();
  writeFileSync(path, "pdctl-launch 1\0name=one");
  expect(() => readLaunchFile(path)).toThrow(/is cut/);
  writeFileSync(path, "pdctl-launch 2\0");
  expect(() => readLaunchFile(path)).toThrow(/does not begin with 'pdctl-launch 1'/);
  writeFileSync(path, "pdctl-launch 1\0name=one\0");
  expect(() => readLaunchFile(path)).toThrow(/has no generation/);
});

test("a zero byte is refused: it would end the string", () => {
  expect(() => writeLaunchFile(path, { ...file, args: ["a\0b"] })).toThrow(/zero byte/);
});
