import { expect, test } from "vitest";
import type { RequestRecord } from "../../../../src/contract/engine-http.ts";
import type { RequestDetail } from "../../../../src/contract/request-view.ts";
import type { RouterRequest } from "../../../../src/contract/router-http.ts";
import { mergeRequests } from "../../../../src/daemon/poller/merge-requests.ts";
import { record, routed, type Steps } from "./records.ts";

type Said = {
  readonly p?: readonly RequestRecord[] | undefined;
  readonly d?: readonly RequestRecord[] | undefined;
  readonly r?: readonly RouterRequest[] | undefined;
};

function merged(said: Said, wallMs = 2_000): RequestDetail[] {
  const of = (key: keyof Said): never[] => (key in said ? (said[key] as never[]) : []);
  return mergeRequests(
    {
      engines: [
        { name: "p0", role: "prefill", records: of("p") },
        { name: "d0", role: "decode", records: of("d") },
      ],
      router: of("r"),
    },
    wallMs,
  );
}

const prefillSteps: Steps = [
  ["bootstrap", 1_010],
  ["waiting", 1_030],
  ["running", 1_040],
  ["inflight", 1_140],
  ["finished", 1_150],
];
const decodeSteps: Steps = [
  ["prealloc", 1_005],
  ["transfer", 1_030],
  ["waiting", 1_145],
  ["running", 1_146],
  ["finished", 1_646],
];

function until(steps: Steps, stage: string): Steps {
  return steps.slice(0, steps.findIndex(([name]) => name === stage) + 1);
}

// One row: how far each side is, and what people are shown.
test.each([
  { p: "bootstrap", d: "prealloc", shown: "bootstrap" },
  { p: "bootstrap", d: undefined, shown: "bootstrap" },
  { p: undefined, d: "prealloc", shown: "bootstrap" },
  { p: "waiting", d: "transfer", shown: "queue" },
  { p: "running", d: "transfer", shown: "prefill" },
  { p: "inflight", d: "transfer", shown: "transfer" },
  { p: undefined, d: "transfer", shown: "transfer" },
  { p: "finished", d: "transfer", shown: "transfer" },
  { p: "inflight", d: "waiting", shown: "decode" },
  { p: "finished", d: "running", shown: "decode" },
  { p: "finished", d: "finished", shown: "finished" },
  { p: undefined, d: undefined, shown: "bootstrap" },
])("prefill $p and decode $d are shown as $shown", ({ p, d, shown }) => {
  const [found] = merged({
    p: p === undefined ? [] : [record("a", until(prefillSteps, p))],
    d: d === undefined ? [] : [record("a", until(decodeSteps, d))],
    r: d === "finished" ? [] : [routed("a")],
  });
  expect(found?.request.stage).toBe(shown);
});

test.each([
  { outcome: "answered", shown: "finished" },
  { outcome: "failed", shown: "failed" },
  { outcome: "client-gone", shown: "failed" },
] as const)(
  "a request that the router has $outcome is $shown, whatever the engines still say",
  ({ outcome, shown }) => {
    const [found] = merged({ d: [record("a", until(decodeSteps, "running"))], r: [routed("a", { outcome })] });
    expect(found?.request).toMatchObject({ stage: shown, live: false });
  },
);

test("a request that waits to be sent again is in the queue, whatever became of its first attempt", () => {
  const [found] = merged({
    p: [record("a", until(prefillSteps, "inflight"), { live: false, stage: "failed" })],
    r: [routed("a", { outcome: "open", held: true })],
  });
  expect(found?.request).toMatchObject({ stage: "queue", live: true });
});

test("the stages of a finished request follow each other, with the overlap beside the transfer", () => {
  const [found] = merged({
    p: [record("a", prefillSteps, { prefillBeganUnixMs: 1_040, prefillEndedUnixMs: 1_140 })],
    d: [record("a", decodeSteps, { transferBeganUnixMs: 1_060, transferEndedUnixMs: 1_145, outputTokens: 5 })],
    r: [routed("a", { outcome: "answered", endedUnixMs: 1_650 })],
  });
  expect(found?.request.spans).toEqual([
    { stage: "bootstrap", atMs: 5, durationMs: 25 },
    { stage: "queue", atMs: 30, durationMs: 10 },
    { stage: "prefill", atMs: 40, durationMs: 100 },
    { stage: "transfer", atMs: 140, durationMs: 5, overlapMs: 80 },
    { stage: "decode", atMs: 146, durationMs: 500 },
  ]);
  expect(found?.request).toMatchObject({ ageMs: 650, outputTokens: 5, prefill: "p0", decode: "d0", room: "77" });
});

test("a stage that goes on has no duration", () => {
  const [found] = merged({
    p: [record("a", until(prefillSteps, "running"), { prefillBeganUnixMs: 1_040 })],
    r: [routed("a")],
  });
  expect(found?.request.spans.at(-1)).toEqual({ stage: "prefill", atMs: 40 });
});

test("bytes are what decode has, expected is what anyone knows", () => {
  const [found] = merged({
    p: [record("a", until(prefillSteps, "inflight"), { bytesDone: 900, bytesTotal: 900, promptTokens: 9 })],
    d: [record("a", until(decodeSteps, "transfer"), { bytesDone: 300 })],
  });
  expect(found?.request).toMatchObject({ bytesDone: 300, bytesTotal: 900, promptTokens: 9 });
});

test("the deadline that fires next is shown with its engine", () => {
  const [found] = merged({
    p: [record("a", until(prefillSteps, "inflight"), { deadline: { name: "inflight", inMs: 900 } })],
    d: [record("a", until(decodeSteps, "transfer"), { deadline: { name: "waiting", inMs: 400 } })],
  });
  expect(found?.request.deadline).toEqual({ name: "waiting", engine: "d0", inMs: 400 });
});

test("a request whose engines did not answer is unknown, not zero", () => {
  const [found] = merged({ p: undefined, d: undefined, r: [routed("a")] });
  expect(found?.request.stage).toBe("unknown");
  expect(found?.request).not.toHaveProperty("bytesDone");
  expect(found?.request).not.toHaveProperty("outputTokens");
  expect(found?.unanswered).toEqual(["p0", "d0"]);
});

test("engines are enough to know a request when the router does not answer", () => {
  const [found] = merged({ p: [record("a", until(prefillSteps, "running"), { room: "5" })], r: undefined });
  expect(found?.request).toMatchObject({ stage: "prefill", room: "5", prefill: "p0", live: true });
  expect(found?.unanswered).toEqual(["router"]);
});

test.each([
  {
    why: "the router's word",
    router: { outcome: "failed", failure: { code: "engine-lost", words: "d0 is gone" } },
    code: "engine-lost",
  },
  { why: "a client that left", router: { outcome: "client-gone" }, code: "aborted" },
  { why: "decode's word before prefill's", router: {}, code: "waiting-timeout" },
  { why: "nothing after an answer", router: { outcome: "answered" }, code: undefined },
] as const)("the failure of a request is $why", ({ router, code }) => {
  const [found] = merged({
    p: [
      record(
        "a",
        [
          ["bootstrap", 1_000],
          ["failed", 1_100],
        ],
        { failure: { code: "peer-failed", words: "" } },
      ),
    ],
    d: [
      record(
        "a",
        [
          ["prealloc", 1_000],
          ["failed", 1_100],
        ],
        { failure: { code: "waiting-timeout", words: "" } },
      ),
    ],
    r: [routed("a", router)],
  });
  expect(found?.request.failure?.code).toBe(code);
});

test("an acknowledgement that was lost after the commit is no failure", () => {
  const [found] = merged({
    p: [
      record(
        "a",
        [
          ["inflight", 1_000],
          ["failed", 1_100],
        ],
        { failure: { code: "peer-lost", words: "" } },
      ),
    ],
    d: [record("a", decodeSteps, { state: "Success" })],
  });
  expect(found?.request).toMatchObject({ stage: "finished" });
  expect(found?.request).not.toHaveProperty("failure");
});

test("requests are listed newest first, each once", () => {
  const list = merged({
    p: [record("b", [["bootstrap", 1_500]]), record("a", prefillSteps)],
    d: [record("a", decodeSteps)],
    r: [routed("b", { arrivedUnixMs: 1_490 }), routed("a")],
  });
  expect(list.map(({ request }) => request.id)).toEqual(["b", "a"]);
});

test("an engine that does both shows prefill and decode without a transfer", () => {
  const steps: Steps = [
    ["waiting", 1_000],
    ["running", 1_010],
    ["finished", 1_200],
  ];
  const [found] = mergeRequests(
    {
      engines: [
        {
          name: "one",
          role: "both",
          records: [record("a", steps, { prefillBeganUnixMs: 1_010, prefillEndedUnixMs: 1_100 })],
        },
      ],
      router: [],
    },
    2_000,
  );
  expect(found?.request.spans.map(({ stage, durationMs }) => [stage, durationMs])).toEqual([
    ["queue", 10],
    ["prefill", 90],
    ["decode", 100],
  ]);
});

test("what the detector says of a request is in its view, and nothing where it says nothing", () => {
  const said = {
    engines: [{ name: "p0", role: "prefill" as const, records: [] }],
    router: [routed("a"), routed("b")],
  };
  const list = mergeRequests(said, 2_000, new Map([["a", { verdict: "wedge", cause: "orphan" }]]));
  const [a, b] = ["a", "b"].map((id) => list.find(({ request }) => request.id === id)?.request);
  expect(a).toMatchObject({ verdict: "wedge", cause: "orphan" });
  expect(b).not.toHaveProperty("verdict");
});

test("the router's own deadline is shown where it fires first", () => {
  const [found] = merged({
    p: [record("a", until(prefillSteps, "inflight"), { deadline: { name: "inflight", inMs: 900 } })],
    r: [routed("a", { deadline: { name: "first-token", inMs: 300 } })],
  });
  expect(found?.request.deadline).toEqual({ name: "first-token", engine: "router", inMs: 300 });
});

test("a request that was sent again is one, with the legs of both attempts and the stages of the last", () => {
  const list = merged({
    p: [record("again", until(prefillSteps, "running")), record("first", [["failed", 1_000]])],
    d: [record("first", [["failed", 1_000]])],
    r: [routed("again", { earlier: ["first"], attempt: 2 })],
  });
  expect(list).toHaveLength(1);
  expect(list[0]?.request).toMatchObject({ id: "again", stage: "prefill", attempt: 2 });
  expect(list[0]?.legs.map(({ record: leg }) => leg.id)).toEqual(["again", "first", "first"]);
});
