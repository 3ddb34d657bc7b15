import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepReady } from "../../../src/lib/ready-file.ts";

let folder: string;
let file: string;
const stop = new AbortController();

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), "pdctl-ready-"));
  file = join(folder, "a.ready");
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test("a ready file that is lost or overwritten is written again, until the process stops", () => {
  keepReady(file, { url: "http://127.0.0.1:81" }, stop.signal);
  const text = readFileSync(file, "utf8");
  expect(JSON.parse(text)).toEqual({ url: "http://127.0.0.1:81", port: 81 });
  writeFileSync(file, "{");
  vi.advanceTimersByTime(1_000);
  expect(readFileSync(file, "utf8")).toBe(text);
  rmSync(folder, { recursive: true });
  // Nowhere to write it is no reason to end.
  vi.advanceTimersByTime(5_000);
  stop.abort();
  vi.advanceTimersByTime(5_000);
  expect(existsSync(file)).toBe(false);
});
