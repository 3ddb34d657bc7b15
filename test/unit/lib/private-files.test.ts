import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lastLines } from "../../../src/lib/file-tail.ts";
import { makePrivateFolder, secretOf, writeWhole } from "../../../src/lib/private-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a private folder is its owner's, also where it was open before", () => {
  const path = join(folder, "a", "b");
  makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  chmodSync(path, 0o755);
  makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("a file in the place of a folder is an error", () => {
  writeFileSync(join(folder, "a"), "");
  expect(() => makePrivateFolder(join(folder, "a"))).toThrow();
});

test("a file is written whole, for its owner only, and leaves no partial one", () => {
  const path = join(folder, "record.json");
  writeWhole(path, "one");
  writeWhole(path, "two");
  expect(readFileSync(path, "utf8")).toBe("two");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["record.json"]);
});

test("where a file cannot be put in its place nothing half written is left, and the error says which file and why", () => {
  const path = join(folder, "record.json");
  mkdirSync(path);
  const message = `${path} cannot be used: a folder stands where a file is wanted`;
  expect(() => writeWhole(path, "one")).toThrow(expect.objectContaining({ code: "EISDIR", path, message }) as Error);
  expect(readdirSync(folder)).toEqual(["record.json"]);
});

test("the secret is made once and stays", () => {
  const path = join(folder, "state", "secret");
  const secret = secretOf(path);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(secretOf(path)).toBe(secret);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "state"))).toEqual(["secret"]);
});

test("the last lines of a large file are whole lines", () => {
  const path = join(folder, "log");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, Array.from({ length: 1000 }, (_, index) => `line ${index}`).join("\n"));
  expect(lastLines(path, { linesMax: 2, bytesMax: 4096 })).toEqual(["line 998", "line 999"]);
  expect(lastLines(path, { linesMax: 100, bytesMax: 20 })).toEqual(["line 998", "line 999"]);
  writeFileSync(path, "");
  expect(lastLines(path, { linesMax: 2, bytesMax: 4096 })).toEqual([]);
});

test("what could not be written whole leaves nothing behind", () => {
  mkdirSync(join(folder, "a"));
  expect(() => writeWhole(join(folder, "a"), "text")).toThrow();
  expect(readdirSync(folder)).toEqual(["a"]);
});
