import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../../../src/lib/make-folder.ts";

const home = mkdtempSync(join(tmpdir(), "pd-folder-"));
afterAll(() => rmSync(home, { recursive: true }));

test("the folders above are made too, and a second time is quiet", () => {
  const path = join(home, "a", "b");
  makeFolder(path, 0o700);
  makeFolder(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("a place where nothing can be made is an error, not a wait without end", () => {
  expect(() => makeFolder("/proc/no-such-process/state")).toThrow(/ENOENT|EACCES|EPERM/);
});
