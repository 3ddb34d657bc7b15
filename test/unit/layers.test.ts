import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = process.cwd();
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-layers-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every import of src/ is in the table", () => {
  expect(cruise(root)).toMatchObject({ status: 0 });
});

test("every include of native/ is in the table", () => {
  expect(includes(root)).toMatchObject({ status: 0, words: "" });
});

// "a imports b", and the rule that says no. One tree holds them all and is checked once.
const wrongImports = [
  { from: "lib/a.ts", to: "contract/b.ts", rule: "may-import-lib" },
  { from: "contract/a.ts", to: "lib/b.ts", rule: "may-import-contract" },
  { from: "client/a.ts", to: "router/b.ts", rule: "may-import-client" },
  { from: "cli/a.ts", to: "drivers/b.ts", rule: "may-import-cli" },
  { from: "commands/a.ts", to: "router/b.ts", rule: "may-import-commands" },
  { from: "commands/c.ts", to: "daemon/main.ts", rule: "doors-open-late" },
  { from: "drivers/a.ts", to: "engine/b.ts", rule: "may-import-drivers" },
  { from: "daemon/api/a.ts", to: "drivers/b.ts", rule: "may-import-daemon/api" },
  { from: "daemon/supervisor/a.ts", to: "daemon/api/b.ts", rule: "may-import-daemon/supervisor" },
  { from: "daemon/a.ts", to: "router/b.ts", rule: "may-import-daemon" },
  { from: "engine/a.ts", to: "router/b.ts", rule: "may-import-engine" },
  { from: "router/a.ts", to: "drivers/b.ts", rule: "may-import-router" },
  { from: "main.ts", to: "daemon/main.ts", rule: "may-import-main" },
  { from: "gadgets/a.ts", to: "lib/b.ts", rule: "every-folder-has-a-row" },
] as const;

test("an import that is not in the table is refused by its rule", () => {
  const tree = join(folder, "imports");
  write(join(tree, "tsconfig.json"), "{}");
  for (const { to } of wrongImports) write(join(tree, "src", to), "export const b = 1;\n");
  for (const { from, to } of wrongImports) {
    const up = "../".repeat(from.split("/").length - 1) || "./";
    write(join(tree, "src", from), `import { b } from "${up}${to}";\nb;\n`);
  }
  const { words } = cruise(tree);
  for (const { from, to, rule } of wrongImports) {
    expect(words).toContain(`error ${rule}: src/${from} → src/${to}`);
  }
});

test.each([
  { file: "core/a.h", header: '"kv/b.h"', words: "core/ may include only itself" },
  { file: "kv/a.cpp", header: '"model/b.h"', words: "kv/ may include only itself, core" },
  { file: "transfer/a.cpp", header: '"engine/b.h"', words: "transfer/ may include only itself, core, kv" },
  { file: "addon/a.cpp", header: '"transfer/b.h"', words: "addon/ may include only itself, core, engine" },
  { file: "kv/a.h", header: '"b.h"', words: "is not a path from native/" },
  { file: "scheduler/a.h", header: "<chrono>", words: "take the time as an argument" },
  { file: "model/a.cpp", header: "<thread>", words: "everything else runs on the loop's thread" },
  { file: "kv/a.cpp", header: "<mutex>", words: "everything else runs on the loop's thread" },
  { file: "engine/a.cpp", header: "<napi.h>", words: "only the door speaks Node" },
  { file: "decode/a.cpp", header: '"ggml.h"', words: "use model/runner.h" },
  { file: "shim/a.cpp", header: '"core/b.h"', words: "shim/ may include only itself" },
  { file: "engine/a.cpp", header: "<sys/wait.h>", words: "only the shim has processes" },
  { file: "gadgets/a.h", header: "<vector>", words: "a new folder needs a row" },
])("$file may not include $header", ({ file, header, words }) => {
  const tree = mkdtempSync(join(folder, "include-"));
  write(join(tree, "native", file), `#pragma once\n#include ${header}\n`);
  const found = includes(tree);
  expect(found.status).toBe(1);
  expect(found.words).toContain(words);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function cruise(cwd: string): { readonly status: number | null; readonly words: string } {
  const tool = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  return run([tool, "--config", join(root, ".dependency-cruiser.mjs"), "--no-cache", "src"], cwd);
}

function includes(tree: string): { readonly status: number | null; readonly words: string } {
  return run([join(root, "scripts/includes.mjs"), tree], root);
}

function run(args: readonly string[], cwd: string): { readonly status: number | null; readonly words: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8", timeout: 120_000 });
  return { status, words: `${stdout}${stderr}` };
}
