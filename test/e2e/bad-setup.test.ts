import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment, pdctl } from "./support/environment.ts";
import { makeHome, removeHome } from "./support/home.ts";
import { modelPath } from "./support/model.ts";
import { processesOf } from "./support/processes.ts";
import { type Finished, finished } from "./support/running.ts";

let home: string;
let taken: Server;
beforeAll(async () => {
  home = makeHome();
  await modelPath(home);
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  taken.close();
  removeHome(home);
});

async function up(lines: readonly string[]): Promise<Finished> {
  const file = join(home, "pdctl.yaml");
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  const result = await finished(pdctl, ["up", "--foreground", "-f", file], { env: environment(home) });
  expect(processesOf(home)).toEqual([]);
  return result;
}

test("an unknown key is named with its line, and the nearest valid key", async () => {
  const result = await up(["fleet: demo", "deadlines:", "  inflite: 2s"]);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain("inflite");
  expect(result.stderr).toMatch(/(line 3|:3\b)/);
  expect(result.stderr).toMatch(/\binflight\b/);
});

test("a port that is in use is named", async () => {
  const address = taken.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const result = await up([`router: {driver: embedded, listen: "127.0.0.1:${port}"}`]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(String(port));
  expect(result.stderr).toMatch(/in use|listens/i);
});

test("a model that is neither a name nor a file is an error of usage", async () => {
  const result = await up(["model: no-such-model"]);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain("no-such-model");
  expect(result.stderr).toContain("smollm2-135m");
});
