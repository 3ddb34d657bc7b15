import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pd-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("what lies in the user's data folder is no part of pdctl: a broken list of plugins there is not even read", () => {
  mkdirSync(join(folder, "data/pdctl"), { recursive: true });
  writeFileSync(join(folder, "data/pdctl/package.json"), "not JSON");
  // A package of its own, without commands, run as the command line is.
  const oclif = { bin: "pdctl", dirname: "pdctl" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "pdctl", version: "1.0.0", oclif }));
  const root = pathToFileURL(join(folder, "main.js")).href;
  const script = `
    process.argv = [process.argv[0], "main.js", "--version"];
    const { runCommand } = await import("./src/cli/oclif.ts");
    await runCommand(${JSON.stringify(root)});`;
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...process.env, XDG_DATA_HOME: join(folder, "data"), NODE_ENV: "production" },
  });
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: "" });
  expect(stdout).toContain("pdctl/1.0.0");
});
