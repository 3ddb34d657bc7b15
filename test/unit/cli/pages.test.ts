import { expect, test } from "vitest";
import { timelineLine } from "../../../src/cli/answer-timeline.ts";
import { formatted } from "../../../src/cli/output.ts";
import { shownBytes, shownMs } from "../../../src/cli/quantities.ts";
import { requestPage } from "../../../src/cli/request-page.ts";
import { requestsTable } from "../../../src/cli/requests-table.ts";
import { table } from "../../../src/cli/table.ts";
import { planWords, upWords } from "../../../src/cli/up-words.ts";
import type { RequestView } from "../../../src/contract/request-view.ts";

const request: RequestView = {
  id: "abc",
  room: "9223372036854775807",
  stage: "transfer",
  live: true,
  arrived: "2026-01-01T00:00:00.000Z",
  ageMs: 2_500,
  stageAgeMs: 120,
  prefill: "p0",
  decode: "d0",
  promptTokens: 9,
  outputTokens: 0,
  bytesDone: 1_024,
  bytesTotal: 207_360,
  deadline: { name: "inflight", engine: "p0", inMs: 1_880 },
  verdict: "wedge",
  cause: "transfer-stall",
  spans: [
    { stage: "bootstrap", atMs: 1, durationMs: 4 },
    { stage: "transfer", atMs: 100, overlapMs: 80 },
  ],
};

test.each([
  { ms: 0.25, text: "0.3 ms" },
  { ms: 42.4, text: "42 ms" },
  { ms: 1_250, text: "1.3 s" },
  { ms: 125_000, text: "2 m 05 s" },
])("$ms ms are shown as $text", ({ ms, text }) => {
  expect(shownMs(ms)).toBe(text);
});

test.each([
  { bytes: 512, text: "512 B" },
  { bytes: 92_160, text: "90.0 KiB" },
  { bytes: 268_435_456, text: "256.0 MiB" },
])("$bytes bytes are shown as $text", ({ bytes, text }) => {
  expect(shownBytes(bytes)).toBe(text);
});

test("a table has aligned columns, and a dash for what is unknown", () => {
  expect(
    table(
      ["A", "LONG"],
      [
        ["wide cell", undefined],
        ["x", "y"],
      ],
    ),
  ).toBe("A          LONG\nwide cell  -\nx          y\n");
});

test("a live request is one line, with what fires next", () => {
  const [, line] = requestsTable({ requests: [request], unanswered: [] }, { wide: false, all: false }).split("\n");
  expect(line?.split(/ {2,}/)).toEqual([
    "abc",
    "9223372036854775807",
    "transfer",
    "120 ms",
    "2.5 s",
    "p0",
    "d0",
    "1.0 KiB / 202.5 KiB",
    "inflight in 1.9 s",
    "wedge (transfer-stall)",
  ]);
});

test("who did not answer is said, since the list may be short of them", () => {
  expect(requestsTable({ requests: [], unanswered: ["d0"] }, { wide: false, all: true })).toBe(
    "No requests.\n\nNo answer from d0: what they know is missing here.\n",
  );
});

test("where nothing is live the way to the ended requests is said", () => {
  expect(requestsTable({ requests: [], unanswered: [] }, { wide: false, all: false })).toBe(
    "No live requests; --all lists ended ones, too.\n",
  );
});

test("the page of a request has its stages one after the other", () => {
  const page = requestPage({ request, legs: [], unanswered: ["router"] });
  expect(page).toContain("Stage      transfer, for 120 ms\n");
  expect(page).toContain("Edge       p0 → d0\n");
  expect(page).toContain("Deadline   inflight on p0, in 1.9 s\n");
  expect(page).toContain("No answer  router");
  expect(page).toMatch(/bootstrap +\+1\.0 ms +4\.0 ms\n/);
  expect(page).toMatch(/transfer +\+100 ms +goes on +and 80 ms beside prefill\n/);
});

test.each([
  {
    spans: [
      { stage: "prefill" as const, atMs: 0, durationMs: 35 },
      { stage: "transfer" as const, atMs: 35, durationMs: 1.2 },
      { stage: "decode" as const, atMs: 36, durationMs: 500 },
    ],
    more: { bytesDone: 829_440, outputTokens: 26 },
    line: "request 3f2a91bc  prefill 35 ms, transfer 1.2 ms (810.0 KiB), decode 50.0 tok/s",
  },
  {
    spans: [{ stage: "prefill" as const, atMs: 0, durationMs: 35 }],
    more: {},
    line: "request 3f2a91bc  prefill 35 ms, decode unknown",
  },
])("the timeline under an answer: $line", ({ spans, more, line }) => {
  const { bytesDone: _bytes, outputTokens: _tokens, ...rest } = request;
  expect(timelineLine({ ...rest, ...more, id: "3f2a91bc00c0ffee3f2a91bc00c0ffee", spans })).toBe(line);
});

test("data are the same in every format", () => {
  const people = (wide: boolean): string => (wide ? "wide\n" : "narrow\n");
  expect(formatted({ a: 1 }, "table", people)).toBe("narrow\n");
  expect(formatted({ a: 1 }, "wide", people)).toBe("wide\n");
  expect(JSON.parse(formatted({ a: 1 }, "json", people))).toEqual({ a: 1 });
  expect(formatted({ a: 1 }, "yaml", people)).toBe("a: 1\n");
});

test("up ends with the URL on a line of its own, and a line to try", () => {
  const [url, curl] = upWords("http://127.0.0.1:8000").split("\n");
  expect(url).toBe("http://127.0.0.1:8000");
  expect(curl).toMatch(/^curl -s http:\/\/127\.0\.0\.1:8000\/v1\/chat\/completions /);
});

test("a plan is a line that a shell takes", () => {
  expect(planWords([{ name: "p", env: { A: "it's" }, argv: ["/node", "--note", "a b"] }])).toBe(
    "# p\nA='it'\\''s' /node --note 'a b'\n",
  );
});
