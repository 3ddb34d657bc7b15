import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LineLog } from "../../../src/lib/line-log.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-lines-"));
  path = join(folder, "lines.log");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function linesOf(bytesMax = 256): readonly string[] {
  const { log, lines } = LineLog.open(path, { bytesMax });
  log.close();
  return lines;
}

test("lines are there again, and the file has its whole room from the beginning", () => {
  const { log, lines } = LineLog.open(path, { bytesMax: 4096 });
  expect(lines).toEqual([]);
  expect(statSync(path)).toMatchObject({ size: 4096, mode: 0o100600 });
  expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(4096);
  expect([log.append("one"), log.append("zwei ü")]).toEqual([true, true]);
  log.close();
  expect(statSync(path).size).toBe(4096);
  expect(linesOf(4096)).toEqual(["one", "zwei ü"]);
});

test("a last line that was cut is not counted, and leaves nothing behind", () => {
  const { log } = LineLog.open(path, { bytesMax: 256 });
  log.append("whole");
  log.close();
  const content = readFileSync(path);
  content.write("a torn line that is long", 6);
  writeFileSync(path, content);
  const again = LineLog.open(path, { bytesMax: 256 });
  expect(again.lines).toEqual(["whole"]);
  again.log.append("x");
  again.log.close();
  expect(linesOf()).toEqual(["whole", "x"]);
  expect(readFileSync(path, "utf8")).not.toContain("torn");
});

test("a file that was cut short gets its room back", () => {
  LineLog.open(path, { bytesMax: 256 }).log.close();
  writeFileSync(path, "one\ntw");
  expect(linesOf()).toEqual(["one"]);
  expect(statSync(path).size).toBe(256);
});

test("a full file takes no line until it is replaced, whole, by what is kept", () => {
  const { log } = LineLog.open(path, { bytesMax: 64 });
  const long = "x".repeat(30);
  expect([log.append(long), log.append(long), log.append(long)]).toEqual([true, true, false]);
  log.replace(["kept"]);
  expect(log.append(long)).toBe(true);
  log.close();
  expect(linesOf(64)).toEqual(["kept", long]);
  expect(statSync(path).size).toBe(64);
});

test("a file of another make is read as far as it has lines", () => {
  appendFileSync(path, `one\n${"y".repeat(500)}\n`);
  expect(linesOf()).toEqual(["one", "y".repeat(500)]);
});
