import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeEvenWhenFull, wroteOver } from "../../../src/lib/write-even-when-full.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-full-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a file is written over in the room that it has, shorter or a little longer", () => {
  const path = join(folder, "intent.json");
  writeFileSync(path, '{"wish":"up"}', { flush: true });
  const { ino } = statSync(path);
  for (const text of ['{"wish":"maintenance"}', "{}"]) {
    expect(wroteOver(path, text)).toBe(true);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  expect(statSync(path).ino).toBe(ino);
});

test("what takes more room than the file has on the disk changes nothing", () => {
  const path = join(folder, "intent.json");
  writeFileSync(path, "old", { flush: true });
  expect(wroteOver(path, "x".repeat(1024 * 1024))).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(wroteOver(join(folder, "none"), "x")).toBe(false);
});

test("where there is room the file is written whole, and any other error is told", () => {
  const path = join(folder, "a");
  writeEvenWhenFull(path, "one");
  expect(readFileSync(path, "utf8")).toBe("one");
  expect(() => writeEvenWhenFull(join(folder, "none", "a"), "one")).toThrow("it is not there");
  expect(readdirSync(folder)).toEqual(["a"]);
});
