import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineStateSchema, requestRecordSchema } from "../../../src/contract/engine-http.ts";
import {
  loadNative,
  type NativeEngine,
  type NativeEvent,
  type NativeOptions,
  type NativeRequest,
} from "../../../src/engine/native.ts";
import { writeTinyGguf } from "./support/tiny-gguf.ts";

const addon = resolve(import.meta.dirname, "../../../dist/pdnative.node");
const native = loadNative(addon);
let folder: string;
let options: NativeOptions;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-test-"));
  writeTinyGguf(join(folder, "tiny.gguf"));
  options = {
    role: "both",
    modelPath: join(folder, "tiny.gguf"),
    threads: 1,
    poolBytes: 1 << 20,
    contextMax: 0,
    sequencesMax: 8,
    requestsMax: 8,
    scatteredPages: false,
    weightsAsStored: true,
    allowFaults: true,
    bootstrapHost: "127.0.0.1",
    bootstrapPort: 0,
    socketDir: folder,
    secret: new TextEncoder().encode("a secret of the fleet, long enough"),
    deadlinesMs: { bootstrap: 60_000, waiting: 60_000, inflight: 60_000, queue: 0, connect: 5_000 },
  };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function requestOf(id: string, more: Partial<NativeRequest> = {}): NativeRequest {
  const prompt = Int32Array.from(Buffer.from("hello"));
  return { id, prompt, tokensMax: 5, temperature: 0, seed: 0n, stopsAtEnd: false, ...more };
}

/** Collects events until `id` has ended. */
function listener() {
  const events: NativeEvent[] = [];
  const waiting: (() => void)[] = [];
  const over = (id: string) =>
    events.some((event) => event.id === id && (event.kind === "finished" || event.kind === "failed"));
  return {
    events,
    hear: (step: readonly NativeEvent[]) => {
      events.push(...step);
      for (const wake of waiting.splice(0)) wake();
    },
    async begun(id: string): Promise<void> {
      while (!events.some((event) => event.id === id)) await new Promise<void>((wake) => waiting.push(wake));
    },
    async ended(id: string): Promise<readonly NativeEvent[]> {
      while (!over(id)) await new Promise<void>((wake) => waiting.push(wake));
      return events.filter((event) => event.id === id);
    },
  };
}

async function withEngine(use: (engine: NativeEngine, heard: ReturnType<typeof listener>) => Promise<void>) {
  const heard = listener();
  const engine = await native.start(options, heard.hear);
  try {
    await use(engine, heard);
  } finally {
    await engine.stop();
  }
}

test("an engine of role both loads a model, answers and says what it did in the contract's shapes", async () => {
  await withEngine(async (engine, heard) => {
    expect(engine.model).toMatchObject({ name: "tiny", architecture: "llama", layers: 1, vocab: 288, contextMax: 512 });
    expect(engine.bootstrapPort).toBe(0);
    expect(engine.submit(requestOf("a"))).toBeUndefined();
    const events = await heard.ended("a");
    expect(events.map((event) => event.kind)).toEqual([...Array(5).fill("token"), "finished"]);
    expect(events.at(-1)).toEqual({ id: "a", kind: "finished", reason: "length", promptTokens: 5, outputTokens: 5 });
    const record = requestRecordSchema.parse(engine.request("a"));
    expect(record).toMatchObject({ id: "a", stage: "finished", live: false, outputTokens: 5 });
    expect(engine.requests().map((one) => requestRecordSchema.parse(one).id)).toEqual(["a"]);
    expect(engine.request("b")).toBeUndefined();
    expect(engineStateSchema.parse(engine.state())).toMatchObject({ role: "both", totals: { finished: 1 } });
  });
});

test("text becomes tokens and tokens become bytes", async () => {
  await withEngine(async (engine) => {
    const tokens = engine.tokenize("h\u00e9", false);
    expect([...tokens]).toEqual([...Buffer.from("h\u00e9")]);
    expect(Buffer.concat([...tokens].map((token) => engine.piece(token))).toString()).toBe("h\u00e9");
    expect([...engine.tokenize("<end>", true)]).toEqual([256]);
  });
});

test("a refusal is a value with its code, and a wrong argument is a TypeError that names it", async () => {
  await withEngine(async (engine) => {
    expect(engine.submit(requestOf("a", { tokensMax: 600 }))).toMatchObject({ code: "too-long" });
    expect(() => engine.submit(requestOf("a", { prompt: new Int32Array(0) }))).toThrow(
      /prompt: expected an Int32Array/,
    );
    expect(() => engine.submit(requestOf("a", { seed: -1n }))).toThrow(/seed: expected 64 bits without a sign/);
    expect(() => engine.abort("a", { code: "no-such-code", words: "" })).toThrow(/no-such-code/);
    expect(engine.setFault("never-send", true)).toBe(true);
    expect(engine.faults()).toEqual({ "never-send": true, "park-copy-thread": false, "ignore-deadlines": false });
  });
});

test("a room of 63 bits crosses both ways without loss", async () => {
  const prefill = await native.start({ ...options, role: "prefill" }, () => undefined);
  const room = 2n ** 63n - 1n;
  const bootstrap = { host: "127.0.0.1", port: prefill.bootstrapPort, room };
  expect(prefill.submit(requestOf("a", { bootstrap }))).toBeUndefined();
  expect(prefill.submit(requestOf("b", { bootstrap }))).toMatchObject({ code: "duplicate-room" });
  expect(prefill.submit(requestOf("c", { bootstrap: { ...bootstrap, room: 2n ** 63n } }))).toMatchObject({
    words: expect.stringContaining("9223372036854775808"),
  });
  await expect.poll(() => prefill.request("a"), { timeout: 20_000 }).toMatchObject({ room: String(room) });
  await prefill.stop();
});

test("an abort ends the answer with its own words", async () => {
  await withEngine(async (engine, heard) => {
    engine.submit(requestOf("a", { tokensMax: 500 }));
    engine.abort("a", { code: "aborted", words: "the client left" });
    const last = (await heard.ended("a")).at(-1);
    expect(last).toMatchObject({ kind: "failed", failure: { code: "aborted", words: "the client left" } });
  });
});

test("an answer that ends at a stop string is finished and not aborted", async () => {
  await withEngine(async (engine, heard) => {
    const begun = heard.begun("a");
    engine.submit(requestOf("a", { tokensMax: 500 }));
    await begun;
    engine.finish("a");
    expect((await heard.ended("a")).at(-1)).toMatchObject({ kind: "finished", reason: "stop" });
    expect(requestRecordSchema.parse(engine.request("a"))).toMatchObject({ stage: "finished" });
    expect(engineStateSchema.parse(engine.state())).toMatchObject({ totals: { finished: 1, failed: 0, aborted: 0 } });
  });
});

test("stop tells every live request before it resolves, and twice is safe", async () => {
  const heard = listener();
  const engine = await native.start(options, heard.hear);
  for (const id of ["a", "b"]) engine.submit(requestOf(id, { tokensMax: 500 }));
  await Promise.all([engine.stop(), engine.stop()]);
  await engine.stop();
  const ends = heard.events.filter((event) => event.kind === "failed" || event.kind === "finished");
  expect(ends.map((event) => event.id).sort()).toEqual(["a", "b"]);
});

test("stop gives the port and the socket back at once", async () => {
  const socketDir = mkdtempSync(join(folder, "sockets-"));
  const first = await native.start({ ...options, role: "prefill", socketDir }, () => undefined);
  expect(readdirSync(socketDir)).toHaveLength(1);
  await first.stop();
  expect(readdirSync(socketDir)).toEqual([]);
  const again = { ...options, role: "prefill", bootstrapPort: first.bootstrapPort } as const;
  const second = await native.start(again, () => undefined);
  expect(second.bootstrapPort).toBe(first.bootstrapPort);
  await second.stop();
});

test("start rejects with a code: the model, the address, the system", async () => {
  const start = (more: Partial<NativeOptions>) => native.start({ ...options, ...more }, () => undefined);
  await expect(start({ modelPath: join(folder, "absent.gguf") })).rejects.toMatchObject({ code: "model" });
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const bootstrapPort = typeof address === "object" && address !== null ? address.port : 0;
  await expect(start({ role: "prefill", bootstrapPort })).rejects.toMatchObject({ code: "address-in-use" });
  await new Promise((closed) => server.close(closed));
});

test("the addon loads in worker threads, also in ones that end while an engine works", async () => {
  const program = `
    const { parentPort, workerData } = require("node:worker_threads");
    const native = require(workerData.addon);
    native.start(workerData.options, () => undefined).then((engine) => {
      engine.submit({ id: "a", prompt: new Int32Array(9), tokensMax: 500, temperature: 0, seed: 0n, stopsAtEnd: false });
      parentPort.postMessage("working");
    });
    parentPort.postMessage("starting");
  `;
  const endAt = async (moment: string) => {
    const worker = new Worker(program, { eval: true, workerData: { addon, options } });
    await new Promise<void>((reached, lost) => {
      worker.on("message", (message) => message === moment && reached());
      worker.on("error", lost);
    });
    await worker.terminate();
  };
  for (const moment of ["starting", "working", "starting", "working"]) await endAt(moment);
  await withEngine(async (engine, heard) => {
    engine.submit(requestOf("a"));
    expect((await heard.ended("a")).at(-1)).toMatchObject({ kind: "finished" });
  });
});
