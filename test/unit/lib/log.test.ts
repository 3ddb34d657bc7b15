import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileLog } from "../../../src/lib/log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a line is in the file when the call returns, and only its owner may read it", () => {
  const path = join(folder, "daemon.log");
  fileLog(path).info({ engine: "p0" }, "ready");
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ engine: "p0", msg: "ready" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a full file begins anew, and the one before stays beside it", () => {
  const path = join(folder, "daemon.log");
  const log = fileLog(path, 1_000);
  for (let line = 0; line < 100; line += 1) log.info({ line }, "again");
  expect(statSync(path).size).toBeLessThan(1_200);
  expect(statSync(`${path}.1`).size).toBeLessThan(1_200);
  expect(readFileSync(path, "utf8")).toContain('"line":99');
});

test("a log goes on where the one before it ended", () => {
  const path = join(folder, "daemon.log");
  fileLog(path).info("first");
  fileLog(path).info("second");
  expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2);
});
