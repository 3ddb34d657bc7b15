import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-native-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  { present: ["git", "tar", "g++", "make"], missing: "'cmake' is missing", package: "cmake" },
  { present: ["cmake", "tar", "g++", "make"], missing: "'git' is missing", package: "git" },
  { present: ["cmake", "git", "tar", "make"], missing: "no C++ compiler was found", package: "g++" },
  { present: ["cmake", "git", "tar", "g++"], missing: "neither 'ninja' nor 'make'", package: "make" },
])("names the Debian package where $package is missing", ({ present, missing, package: name }) => {
  for (const tool of present) symlinkSync(found(tool), join(folder, tool));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/native.mjs"], {
    env: { PATH: folder, HOME: folder, PD_BUILD_DIR: join(folder, "build") },
    encoding: "utf8",
    timeout: 120_000,
  });
  expect(status).toBe(1);
  expect(stderr).toContain(missing);
  expect(stderr).toContain(`apt-get install ${name}`);
});

function found(tool: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const path = folders.map((each) => join(each, tool)).find((each) => existsSync(each));
  if (!path) throw new Error(`'${tool}' is not on PATH`);
  return path;
}
