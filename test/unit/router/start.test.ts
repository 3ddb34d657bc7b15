import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readySchema } from "../../../src/contract/launch.ts";
import type { RouterOptions } from "../../../src/contract/process-options.ts";
import { runRouter } from "../../../src/router/main.ts";
import { eventually, expectError, post } from "./support/clients.ts";
import { FixtureEngine } from "./support/fixture-engine.ts";
import { secret } from "./support/running-router.ts";

async function started(): Promise<{
  url: string;
  running: Promise<void>;
  stop: AbortController;
  engine: FixtureEngine;
}> {
  const folder = mkdtempSync(join(tmpdir(), "pdctl-router-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secretFile = join(folder, "secret");
  writeFileSync(secretFile, `${secret}\n`);
  const engine = await new FixtureEngine().listen();
  const options: RouterOptions = {
    name: "r0",
    listen: { host: "127.0.0.1", port: 0 },
    allowOpen: false,
    prefill: [],
    decode: [],
    both: [{ name: "b0", url: engine.url }],
    replay: "unsent",
    secretFile,
    readyFile: join(folder, "ready"),
    connectMs: 20_000,
    firstTokenMs: 600_000,
    tokenGapMs: 600_000,
    stopLimitMs: 1,
  };
  const stop = new AbortController();
  const running = runRouter(options, stop.signal, () => undefined);
  await eventually(() => expect(existsSync(join(folder, "ready"))).toBe(true));
  const ready = readySchema.parse(JSON.parse(readFileSync(join(folder, "ready"), "utf8")));
  expect(ready.pid).toBe(process.pid);
  return { url: ready.url, running, stop, engine };
}

test("a router that is stopped ends open requests with words, and itself", async () => {
  const { url, running, stop, engine } = await started();
  const answer = post(`${url}/v1/completions`, { prompt: "x" });
  const leg = await engine.leg();
  expect(leg.request.headers["x-pdctl-secret"]).toBe(secret);
  stop.abort();
  await expectError(await answer, 503, "shutdown", /Router r0 was stopped/);
  await running;
  await eventually(() => expect(leg.cancelled()).toBe(true));
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});
