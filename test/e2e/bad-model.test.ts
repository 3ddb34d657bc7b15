import { closeSync, copyFileSync, openSync, readSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment, pdctl } from "./support/environment.ts";
import { makeHome, removeHome } from "./support/home.ts";
import { modelPath } from "./support/model.ts";
import { type Finished, finished } from "./support/running.ts";

let home: string;
beforeAll(() => {
  home = makeHome();
});
afterAll(() => removeHome(home));

async function engineOn(path: string): Promise<Finished> {
  const args = ["engine", "--name", "both", "--role", "both", "--model", path, "--listen", "127.0.0.1:0"];
  args.push("--socket-dir", home, "--ready-file", join(home, "both.json"), "--threads", "1");
  return await finished(pdctl, args, { env: environment(home) });
}

function expectClear(result: Finished, path: string): void {
  expect(result.code, result.stderr).toBe(1);
  expect(result.stderr).toContain(path);
  expect(result.stderr).toMatch(/GGUF/);
  expect(result.stderr).not.toMatch(/mistake in pdctl|\bat .*\.js:\d+/);
}

test("a file that is no GGUF is named, with what was found and what is supported", async () => {
  const path = join(home, "notes.gguf");
  writeFileSync(path, "These are only some words.\n".repeat(100));
  expectClear(await engineOn(path), path);
});

test("a file that was cut is named as such", async () => {
  const path = join(home, "cut.gguf");
  copyFileSync(await modelPath(home), path);
  truncateSync(path, 40_000_000);
  expectClear(await engineOn(path), path);
});

test("another architecture is named, and so are the supported ones", async () => {
  const path = join(home, "other.gguf");
  writeFileSync(path, withArchitecture(await modelPath(home), "mamba"));
  const result = await engineOn(path);
  expectClear(result, path);
  expect(result.stderr).toContain("mamba");
  expect(result.stderr).toContain("llama");
});

/** The first part of the file with another word of five letters as its architecture: enough for a reader of headers. */
function withArchitecture(path: string, name: string): Buffer {
  const bytes = Buffer.alloc(100_000_000);
  const file = openSync(path, "r");
  const length = readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  const key = bytes.indexOf("general.architecture");
  bytes.write(name, bytes.indexOf("llama", key), "latin1");
  return bytes.subarray(0, length);
}
