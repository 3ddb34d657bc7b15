import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { Observation, Sample } from "../../../../src/contract/observation.ts";
import { Poller, type PollerParts } from "../../../../src/daemon/poller/poller.ts";
import type { Target } from "../../../../src/daemon/poller/target.ts";
import { type Clock, systemClock } from "../../../../src/lib/clock.ts";
import { processStat } from "../../../../src/lib/processes.ts";
import {
  closedUrl,
  engineServer,
  engineState,
  eventually,
  httpServer,
  routerServer,
  routerState,
  secret,
  tcpServer,
} from "./small-servers.ts";
import { record, routed } from "./records.ts";

// Nothing that is well reaches it, also on a loaded machine.
const patientMs = 20_000;
const briefMs = 100;

function poller(more: Partial<PollerParts> = {}): Poller {
  const made = new Poller({ clock: systemClock, secret, pollMs: 1_000, probeLimitMs: patientMs, ...more });
  onTestFinished(() => made.close());
  return made;
}

function target(more: Partial<Target> = {}): Target {
  return { name: "p0", role: "prefill", driver: "native", generation: 1, state: "ready", members: [], ...more };
}

/** Takes until something is there. */
async function taken(from: Poller): Promise<readonly Observation[]> {
  let found: readonly Observation[] = [];
  await eventually(() => {
    found = from.take();
    expect(found).not.toEqual([]);
  });
  return found;
}

async function sampleOf(one: Target, more: Partial<PollerParts> = {}): Promise<Sample> {
  const eyes = poller(more);
  eyes.watch([one]);
  const [first] = await taken(eyes);
  if (first?.kind !== "sample") throw new Error("no sample");
  return first;
}

/** A process that runs until the test ends. */
async function bystander(): Promise<Target["members"][number]> {
  const child = spawn("sleep", ["1000"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const { pid = 0 } = child;
  return { pid, startTicks: processStat(pid)?.startTicks ?? 0 };
}

test("an engine's own words become a sample", async () => {
  const url = await engineServer({
    state: engineState({
      queues: { bootstrap: 1, waiting: 2, running: 3, inflight: 1, prealloc: 0, transfer: 0 },
      inflightOldestMs: 1_500,
    }),
    requests: [
      record("a", [["inflight", 1_000]], { room: "9223372036854775807", bytesDone: 10, bytesTotal: 40, ageMs: 2_000 }),
      record("old", [["finished", 1_000]]),
    ],
    asked: [],
  });
  expect(await sampleOf(target({ url, generation: 3 }))).toMatchObject({
    id: "p0",
    generation: 3,
    health: "ok",
    bootstrap_queue: 1,
    waiting: 2,
    running: 3,
    inflight: 1,
    inflight_oldest_s: 1.5,
    loop_age_s: 0.004,
    loop_steps_total: 7,
    kv_usage: 0.25,
    draining: false,
    prompt_tokens_total: 40,
    generated_tokens_total: 50,
    transfer_bytes_total: 4_106,
    transfer_failed_total: 3,
    bootstrap_failed_total: 2,
    requests: [
      { id: "a", room: "9223372036854775807", stage: "inflight", age_s: 2, stage_age_s: 0.007, bytes_total: 40 },
    ],
  });
});

test("queues that a role does not have are absent, and so is what is not known yet", async () => {
  const url = await engineServer({
    state: engineState({
      role: "decode",
      queues: { bootstrap: 0, waiting: 0, running: 0, inflight: 0, prealloc: 1, transfer: 0 },
    }),
    requests: [record("a", [["prealloc", 1_000]])],
    asked: [],
  });
  const sample = await sampleOf(target({ name: "d0", role: "decode", url }));
  expect(sample).toMatchObject({ prealloc_queue: 1, transfer_queue: 0, running: 0 });
  for (const field of ["bootstrap_queue", "inflight", "inflight_oldest_s", "proc_state"])
    expect(sample).not.toHaveProperty(field);
  expect(sample.requests?.[0]).not.toHaveProperty("bytes_total");
  expect(sample.requests?.[0]).not.toHaveProperty("prompt_tokens");
});

test("an engine at rest is asked once, and holds no request", async () => {
  const asked: string[] = [];
  const url = await engineServer({ state: engineState(), requests: [], asked });
  expect((await sampleOf(target({ url }))).requests).toEqual([]);
  expect(asked).toEqual(["/admin/v1/state"]);
});

// One row: what the other side does with a question, and what it is called.
test.each([
  { does: "takes the connection and is silent", health: "timeout", url: () => tcpServer(() => undefined) },
  {
    does: "sends a head and then nothing",
    health: "timeout",
    url: () => tcpServer((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{")),
  },
  {
    does: "sends a byte now and then",
    health: "timeout",
    url: () =>
      tcpServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n");
        const drip = setInterval(() => socket.write(" "), 20);
        socket.on("close", () => clearInterval(drip));
      }),
  },
  { does: "does not listen", health: "refused", url: closedUrl },
  {
    does: "cuts its answer",
    health: "fail",
    url: () => tcpServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{")),
  },
  {
    does: "answers with a page",
    health: "fail",
    url: () => httpServer((_request, response) => response.end("<html>log in</html>")),
  },
  {
    does: "answers with nothing",
    health: "fail",
    url: () => httpServer((_request, response) => response.end()),
  },
  {
    does: "answers with another thing's JSON",
    health: "fail",
    url: () => httpServer((_request, response) => response.end('{"ok":true}')),
  },
  {
    does: "refuses the secret",
    health: "fail",
    url: () => httpServer((_request, response) => response.writeHead(403).end("{}")),
  },
])("who $does has health $health and no numbers", async ({ health, url }) => {
  const probeLimitMs = health === "timeout" ? briefMs : patientMs;
  const sample = await sampleOf(target({ url: await url() }), { probeLimitMs });
  expect(sample.health).toBe(health);
  expect(sample).not.toHaveProperty("running");
  expect(sample).not.toHaveProperty("requests");
});

test("what the kernel says of a stopped process comes although it does not answer", async () => {
  const member = await bystander();
  process.kill(member.pid, "SIGSTOP");
  const url = await tcpServer(() => undefined);
  const eyes = poller({ probeLimitMs: briefMs });
  await eventually(async () => {
    eyes.watch([target({ url, members: [member] })]);
    const [sample] = await taken(eyes);
    expect(sample).toMatchObject({ health: "timeout", proc_state: "T" });
    expect(sample).toHaveProperty("cpu_seconds_total");
    expect((sample as Sample).rss_bytes).toBeGreaterThan(0);
  });
});

test("whose processes have ended is not asked: its port may be another's", async () => {
  const asked: string[] = [];
  const url = await engineServer({ state: engineState(), requests: [], asked });
  const sample = await sampleOf(target({ url, members: [{ pid: process.pid, startTicks: 1 }] }));
  expect(sample).toMatchObject({ health: "refused", proc_state: "X" });
  expect(asked).toEqual([]);
});

test.each([
  { why: "has no address yet", url: async () => undefined },
  { why: "refuses still", url: closedUrl },
])("who is starting and $why is starting", async ({ url }) => {
  expect((await sampleOf(target({ state: "starting", url: await url() }))).health).toBe("starting");
});

test("twenty targets that hang delay nobody, and each is asked once at a time", async () => {
  let connections = 0;
  const hung = await tcpServer(() => {
    connections += 1;
  });
  const url = await engineServer({ state: engineState(), requests: [], asked: [] });
  const targets = [
    ...Array.from({ length: 20 }, (_, index) => target({ name: `h${index}`, url: hung })),
    target({ name: "well", url }),
  ];
  const eyes = poller({ pollMs: 1 });
  for (let round = 0; round < 3; round += 1) {
    eyes.watch(targets);
    expect((await taken(eyes)).map((one) => one.kind === "sample" && one.id)).toEqual(["well"]);
    await eventually(() => expect(connections).toBe(20));
  }
});

test("each is asked at its pace, however often the tick comes", async () => {
  let nowMs = 1_000;
  const clock: Clock = { nowMs: () => nowMs, wallMs: () => 0 };
  const asked: string[] = [];
  const url = await engineServer({ state: engineState(), requests: [], asked });
  const eyes = poller({ clock });
  eyes.watch([target({ url })]);
  expect(await taken(eyes)).toMatchObject([{ t: 1 }]);
  nowMs = 1_500;
  eyes.watch([target({ url })]);
  // A tick that comes a little early counts; else its target would wait for the next one.
  nowMs = 1_950;
  eyes.watch([target({ url })]);
  expect(await taken(eyes)).toMatchObject([{ t: 1.95 }]);
  expect(asked).toHaveLength(2);
});

test("only the newest of each is kept", async () => {
  const answers = { state: engineState(), requests: [], asked: [] };
  const eyes = poller({ pollMs: 0 });
  const url = await engineServer(answers);
  for (const steps of [1, 2, 3]) {
    answers.state = engineState({ steps });
    eyes.watch([target({ url })]);
    await eyes.probe("p0", AbortSignal.timeout(patientMs));
  }
  const found = eyes.take();
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ loop_steps_total: 3 });
  expect(eyes.take()).toEqual([]);
});

test("who is gone is no longer seen, also where its answer comes late", async () => {
  const held: (() => void)[] = [];
  const url = await httpServer((_request, response) => held.push(() => response.end(JSON.stringify(engineState()))));
  const eyes = poller();
  eyes.watch([target({ url })]);
  await eventually(() => expect(held).toHaveLength(1));
  eyes.watch([]);
  for (const answer of held) answer();
  expect(await eyes.probe("p0", AbortSignal.timeout(patientMs))).toBeUndefined();
  expect(eyes.take()).toEqual([]);
});

test("an answer of the generation before is no answer of this one", async () => {
  const held: (() => void)[] = [];
  const url = await httpServer((_request, response) => held.push(() => response.end(JSON.stringify(engineState()))));
  const eyes = poller({ pollMs: 0 });
  eyes.watch([target({ url })]);
  await eventually(() => expect(held).toHaveLength(1));
  eyes.watch([target({ url, generation: 2 })]);
  held[0]?.();
  await eventually(() => {
    eyes.watch([target({ url, generation: 2 })]);
    expect(held).toHaveLength(2);
  });
  held[1]?.();
  expect((await taken(eyes)).map((one) => one.kind === "sample" && one.generation)).toEqual([2]);
});

test("the last look before an action asks anew", async () => {
  const answers = { state: engineState({ steps: 1 }), requests: [], asked: [] };
  const url = await engineServer(answers);
  const eyes = poller();
  eyes.watch([target({ url })]);
  await taken(eyes);
  answers.state = engineState({ steps: 2 });
  expect(await eyes.probe("p0", AbortSignal.timeout(patientMs))).toMatchObject({ loop_steps_total: 2 });
});

test("the last look ends with its signal", async () => {
  const url = await tcpServer(() => undefined);
  const eyes = poller();
  eyes.watch([target({ url })]);
  expect(await eyes.probe("p0", AbortSignal.timeout(10))).toBeUndefined();
  expect(await eyes.probe("nobody", AbortSignal.timeout(10))).toBeUndefined();
});

test("the router's words become a sample and a line an edge, without the canaries", async () => {
  const answers = {
    state: routerState({ open: 3 }),
    requests: [
      routed("a", { room: "9007199254740993", ageMs: 3_000, bytes: 12 }),
      routed("c", { canary: true }),
      routed("old", { outcome: "answered" }),
    ],
    asked: [],
  };
  const eyes = poller();
  eyes.watch([target({ name: "router", role: "router", driver: "embedded", url: await routerServer(answers) })]);
  const [sample, edge, ...more] = await taken(eyes);
  expect(more).toEqual([]);
  expect(sample).toMatchObject({
    id: "router",
    health: "ok",
    open: [{ id: "a", room: "9007199254740993", prefill: "p0", decode: "d0", age_s: 3, bytes: 12 }],
    dispatched_total: { p0: 5, d0: 5 },
  });
  expect(edge).toMatchObject({ kind: "edge", prefill: "p0", decode: "d0", attempts_total: 5, ok_total: 4 });
  expect(edge).not.toHaveProperty("bytes_total");
});

test("one look over a pair: bytes of the edge, peers by name, and canaries in no count", async () => {
  const router = {
    state: routerState({ open: 2 }),
    requests: [routed("a", { room: "5" }), routed("c", { room: "6", canary: true })],
    asked: [],
  };
  const prefill = {
    state: engineState({
      queues: { bootstrap: 0, waiting: 0, running: 0, inflight: 2, prealloc: 0, transfer: 0 },
      inflightOldestMs: 9_000,
    }),
    requests: [
      record("c", [["inflight", 0]], { room: "6", peer: "127.0.0.1:1", stageAgeMs: 9_000 }),
      record("a", [["inflight", 0]], { room: "5", peer: "127.0.0.1:1", stageAgeMs: 2_000 }),
    ],
    asked: [],
  };
  const decode = { state: engineState({ role: "decode" }), requests: [], asked: [] };
  const eyes = poller();
  eyes.watch([
    target({ url: await engineServer(prefill) }),
    target({ name: "d0", role: "decode", url: await engineServer(decode) }),
    target({ name: "router", role: "router", url: await routerServer(router) }),
  ]);
  const signal = AbortSignal.timeout(patientMs);
  await Promise.all(["p0", "d0", "router"].map(async (name) => eyes.probe(name, signal)));
  const [p, , , edge] = eyes.take();
  expect(p).toMatchObject({
    inflight: 1,
    inflight_oldest_s: 2,
    requests: [{ id: "a", room: "5", peer: "d0" }],
  });
  expect(edge).toMatchObject({ kind: "edge", bytes_total: 4_096 });
});
