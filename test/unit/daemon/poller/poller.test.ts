import { expect, test } from "vitest";
import type { Clock } from "../../../../src/lib/clock.ts";
import { record, routed } from "./records.ts";
import {
  engineServer,
  engineState,
  eventually,
  httpServer,
  routerServer,
  routerState,
  tcpServer,
} from "./small-servers.ts";
import { patientMs, poller, taken, target } from "./watching.ts";

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
