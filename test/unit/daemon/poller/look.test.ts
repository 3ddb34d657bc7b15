import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { Sample } from "../../../../src/contract/observation.ts";
import type { Target } from "../../../../src/daemon/poller/target.ts";
import { processStat } from "../../../../src/lib/processes.ts";
import { record } from "./records.ts";
import { closedUrl, engineServer, engineState, eventually, httpServer, tcpServer } from "./small-servers.ts";
import { briefMs, patientMs, poller, sampleOf, taken, target } from "./watching.ts";

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

test("one that has failed has no process, also where none was ever started", async () => {
  const sample = await sampleOf(target({ state: "failed", generation: 2 }));
  expect(sample).toMatchObject({ health: "refused", proc_state: "X", generation: 2 });
  expect(sample).not.toHaveProperty("rss_bytes");
});

test.each([
  { why: "has no address yet", url: async () => undefined },
  { why: "refuses still", url: closedUrl },
])("who is starting and $why is starting", async ({ url }) => {
  expect((await sampleOf(target({ state: "starting", url: await url() }))).health).toBe("starting");
});
