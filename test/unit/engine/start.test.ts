import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { EngineOptions } from "../../../src/contract/process-options.ts";
import { runEngine } from "../../../src/engine/main.ts";
import { HttpFront } from "../../../src/lib/http-front.ts";
import { writeTinyGguf } from "./support/tiny-gguf.ts";

const loopback = { host: "127.0.0.1", port: 0 };

function options(changes: Partial<EngineOptions>): EngineOptions {
  return {
    name: "e0",
    role: "both",
    modelPath: "/nowhere/model.gguf",
    servedName: "model",
    listen: loopback,
    bootstrap: loopback,
    allowOpen: false,
    open: false,
    secretFile: undefined,
    peers: [],
    socketDir: tmpdir(),
    readyFile: undefined,
    threads: 1,
    poolBytes: 1024 ** 2,
    contextMax: 0,
    sequencesMax: 4,
    deadlinesMs: { bootstrap: 1, waiting: 1, inflight: 1, queue: 0, connect: 1 },
    allowFaults: false,
    scatteredPages: false,
    weightsAsStored: false,
    stopLimitMs: 1,
    ...changes,
  };
}

function run(changes: Partial<EngineOptions>): Promise<void> {
  return runEngine(options(changes), new AbortController().signal, () => undefined);
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pdctl-engine-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("a port in use is an error that names it, before the model is looked at", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const words = `Another process listens on 127.0.0.1:${port}.`;
  await expect(run({ listen: { host: "127.0.0.1", port } })).rejects.toMatchObject({
    code: "port-in-use",
    message: words,
  });
});

test.each([{ listen: { host: "0.0.0.0", port: 0 } }, { bootstrap: { host: "10.1.2.3", port: 0 } }])(
  "an address beyond loopback is refused without --allow-open: %j",
  async (changes) => {
    await expect(run(changes)).rejects.toMatchObject({
      code: "address-invalid",
      message: expect.stringMatching(/can be reached from other machines/),
    });
  },
);

test("an address of another machine is an error that says so", async () => {
  const listen = { host: "192.0.2.1", port: 0 };
  await expect(run({ listen, allowOpen: true })).rejects.toMatchObject({
    code: "address-invalid",
    message: expect.stringMatching(/not an address of this machine/),
  });
});

test("an engine of a pair needs the secret, and a file that holds one", async () => {
  await expect(run({ role: "decode" })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(/role decode needs the fleet's secret/),
  });
  await expect(run({ secretFile: "/nowhere/secret" })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(/cannot be read/),
  });
  const short = join(folder(), "secret");
  writeFileSync(short, "short\n");
  await expect(run({ secretFile: short })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(/one line of 16 to 256 visible/),
  });
});

test("a pool that holds not one page is told as that, and not as a wrong model", async () => {
  const modelPath = join(folder(), "tiny.gguf");
  writeTinyGguf(modelPath);
  await expect(run({ modelPath, poolBytes: 1024, weightsAsStored: true, socketDir: folder() })).rejects.toMatchObject({
    code: "pool-too-small",
    message: expect.stringMatching(/^The pool is too small: a page of .* takes \d+ bytes, but the pool has only 1024/),
    tryThis: expect.stringContaining("pool: 256MiB"),
  });
});

test("a front answers for what is still starting, then hands over", async () => {
  const front = new HttpFront((_request, response) => response.writeHead(503).end("starting"));
  const port = await front.listen(loopback);
  onTestFinished(() => front.close(0));
  const ask = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/health`)).text();
  expect(await ask()).toBe("starting");
  front.serve((_request, response) => response.end("serving"));
  expect(await ask()).toBe("serving");
});
