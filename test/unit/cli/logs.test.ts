import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chosenLogs, linesOf, logsIn } from "../../../src/cli/log-files.ts";
import { LogFollower } from "../../../src/cli/log-follower.ts";
import { chosenLines, shownLine } from "../../../src/cli/log-lines.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const texts = (lines: readonly { readonly text: string }[]): string[] => lines.map(({ text }) => text);

test("a log is all its files, the oldest rotated one first", () => {
  write("decode.log", "d\ne\n");
  write("decode.log.1", "c\n");
  write("decode.log.10", "a\n");
  write("decode.log.2", "b\n");
  write("daemon.out", "talk\n");
  write("notes.txt", "no log\n");
  const logs = logsIn(folder);
  expect([...logs.keys()]).toEqual(["daemon.out", "decode"]);
  expect(texts(linesOf("decode", logs.get("decode") ?? []))).toEqual(["a", "b", "c", "d", "e"]);
});

test("a log that is not there is named, with those that are", () => {
  write("decode.log", "");
  expect(() => chosenLogs(logsIn(folder), ["decod"])).toThrow(
    expect.objectContaining({ code: "engine-unknown", tryThis: "one of: decode" }),
  );
  expect(logsIn(join(folder, "none")).size).toBe(0);
});

test("--since takes the lines from the first that is not older; those without a time belong to it", () => {
  const lines = [
    '{"time":"2026-01-01T10:00:00.000Z","msg":"old"}',
    "  of the old one",
    '{"time":"2026-01-01T10:05:00.000Z","msg":"new"}',
    "  of the new one",
  ].map((text) => ({ name: "decode", text }));
  const sinceUnixMs = Date.parse("2026-01-01T10:04:00.000Z");
  expect(texts(chosenLines(lines, { linesMax: 100, sinceUnixMs }))).toEqual(texts(lines.slice(2)));
  expect(texts(chosenLines(lines, { linesMax: 1, sinceUnixMs: undefined }))).toEqual(["  of the new one"]);
  expect(chosenLines(lines, { linesMax: 0, sinceUnixMs: undefined })).toEqual([]);
});

test("the name stands before a line only where several logs are shown", () => {
  expect(shownLine({ name: "decode", text: "a" }, 0)).toBe("a\n");
  expect(shownLine({ name: "decode", text: "a" }, 8)).toBe("decode   | a\n");
});

test("following goes on over a rotation, and misses neither the end of the old file nor the start of the new one", () => {
  const path = write("decode.log", "before\n");
  const follower = new LogFollower("decode", path, { fromEnd: true });
  try {
    expect(follower.take()).toEqual([]);
    appendFileSync(path, "one\nhal");
    expect(texts(follower.take())).toEqual(["one"]);
    appendFileSync(path, "f\nlast\n");
    renameSync(path, `${path}.1`);
    expect(texts(follower.take())).toEqual(["half", "last"]);
    write("decode.log", "first\n");
    expect(texts(follower.take())).toEqual(["first"]);
    writeFileSync(path, "");
    expect(follower.take()).toEqual([]);
    appendFileSync(path, "again\n");
    expect(texts(follower.take())).toEqual(["again"]);
  } finally {
    follower.close();
  }
});
