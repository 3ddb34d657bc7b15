import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Heartbeat } from "../../../src/lib/heartbeat.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-beat-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("each beat takes the place of the one before, and a file that is taken away is made again", () => {
  const path = join(folder, "beat");
  const heartbeat = new Heartbeat(path);
  for (const nowMs of [1, 123_456.789, 5]) {
    heartbeat.beat(nowMs);
    expect(Number(readFileSync(path, "utf8"))).toBe(nowMs);
  }
  rmSync(path);
  heartbeat.beat(6);
  expect(Number(readFileSync(path, "utf8"))).toBe(6);
  heartbeat.close();
});

test("a disk without room is told at the beginning, by its path, and later ends nobody", () => {
  expect(() => new Heartbeat("/dev/full")).toThrow("/dev/full cannot be used: the disk is full");
  const path = join(folder, "beat");
  const heartbeat = new Heartbeat(path);
  rmSync(path);
  symlinkSync("/dev/full", path);
  expect(() => heartbeat.beat(1)).not.toThrow();
  rmSync(path);
  heartbeat.beat(2);
  expect(Number(readFileSync(path, "utf8"))).toBe(2);
  heartbeat.close();
});
