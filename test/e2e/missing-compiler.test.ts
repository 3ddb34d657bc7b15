import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./support/environment.ts";
import { makeHome, removeHome } from "./support/home.ts";
import { finished } from "./support/running.ts";
import { toolPath } from "./support/tools.ts";

let bin: string;
beforeAll(() => {
  bin = makeHome();
});
afterAll(() => removeHome(bin));

// A PATH with exactly these tools, each the machine's own.
test.each([
  { missing: "cmake", present: ["git", "tar", "c++"], says: /cmake.*apt-get install cmake/s },
  { missing: "a C++ compiler", present: ["git", "tar", "cmake"], says: /C\+\+ compiler.*apt-get install g\+\+/s },
  { missing: "git", present: ["cmake", "tar", "c++"], says: /git.*apt-get install git/s },
])("the build without $missing names the Debian package", async ({ missing, present, says }) => {
  const dir = join(bin, missing.replaceAll(/\W/g, "-"));
  mkdirSync(dir);
  for (const tool of present) symlinkSync(toolPath(tool), join(dir, tool));
  const build = await finished(process.execPath, [join(root, "scripts/native.mjs")], {
    env: { PATH: dir, HOME: bin, PD_BUILD_DIR: join(dir, "build") },
    cwd: root,
  });
  expect(build.code).toBe(1);
  expect(build.stderr).toMatch(says);
});
