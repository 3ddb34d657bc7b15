import { expect, test } from "vitest";
import { actionsOf, decisions } from "../../cases/decisions.ts";
import {
  every,
  fleetLine,
  open,
  pair,
  recording,
  restingDecode,
  restingPrefill,
  sample,
} from "../../cases/recording.ts";
import { classicWedge } from "../../cases/wedges.ts";

const fleet = JSON.stringify(fleetLine());
const said = async (lines: readonly string[]): Promise<string> =>
  await decisions(lines).then(
    () => "nothing is wrong",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

test.each([
  { words: "nothing at all", lines: [], gives: 'line 1: the recording is empty; its first line has "kind":"fleet".' },
  {
    words: "another first line",
    lines: ['{"kind":"sample","t":0,"id":"P1"}'],
    gives: 'line 1: the first line must have "kind":"fleet" and name the engines.',
  },
  {
    words: "a later version",
    lines: ['{"kind":"fleet","version":2,"engines":[]}'],
    gives: "line 1: version is 2, and this pdctl reads version 1.",
  },
  { words: "no JSON", lines: [fleet, "", "{"], gives: /^line 3: it is not JSON: / },
  { words: "a list", lines: [fleet, "[]"], gives: "line 2: an object was expected." },
  { words: "an unknown kind", lines: [fleet, '{"kind":"guess","t":0}'], gives: /^line 2: kind must be sample, edge/ },
  {
    words: "a wrong field",
    lines: [fleet, '{"kind":"sample","t":0,"id":"P1","inflight":-1}'],
    gives: /^line 2: inflight: /,
  },
  {
    words: "time that goes back",
    lines: [fleet, '{"kind":"sample","t":5,"id":"P1"}', '{"kind":"sample","t":4,"id":"P1"}'],
    gives: "line 3: t is 4 after a line with t 5: lines stand in order of time.",
  },
  {
    words: "a policy that is none",
    lines: [JSON.stringify(fleetLine(pair, { wedge: "soon" }))],
    gives: /^line 1: policy\.wedge: must be a duration/,
  },
  {
    words: "two of one name",
    lines: [JSON.stringify(fleetLine([...pair, ...pair.slice(0, 1)]))],
    gives: "line 1: two engines are called P1.",
  },
])("a recording with $words is refused with its line", async ({ lines, gives }) => {
  expect(await said(lines)).toMatch(gives);
});

test("a line without end is refused", async () => {
  expect(await said([fleet, "x".repeat(9_000_000)])).toBe("line 2: it is longer than 8388608 characters.");
});

test("each line is JSON of exactly the promised fields", async () => {
  const all = await decisions(classicWedge());
  const fields = new Set(all.map((line) => Object.keys(line).join(" ")));
  expect(fields).toEqual(
    new Set([
      "t kind subject verdict evidence ruled_out",
      "t kind subject verdict cause evidence ruled_out",
      "t kind action target why",
    ]),
  );
});

test("the policy of the recording counts, and another one counts more", async () => {
  const quick = recording(
    every(1, 0, 20),
    (t) => [
      sample(t, "P1", { ...restingPrefill, inflight: 1 }),
      sample(t, "D1", { ...restingDecode, transfer_queue: 1 }),
    ],
    fleetLine(pair, { poll: "1s", suspect: "5s", wedge: "10s" }),
  );
  expect(actionsOf(await decisions(quick))[0]).toBe("10 abort edge P1:D1");
});

test("a room keeps all its digits, as text and as a number", async () => {
  const room = "9007199254740993123";
  const lines = recording(every(5, 0, 10), (t) => [
    sample(t, "P1", { ...restingPrefill, inflight: 1, requests: [{ id: "a", room, stage: "inflight" }] }),
    sample(t, "D1", { ...restingDecode, transfer_queue: 1, requests: [{ id: "a", room, stage: "transfer" }] }),
  ]).map((line) => (line.includes('"D1"') ? line.replace(`"${room}"`, room) : line));
  // Were they two requests, prefill's would be an orphan by now.
  expect(actionsOf(await decisions(lines))).toEqual([]);
});

test("an exit is down at once, and seen at the next look", async () => {
  const lines = recording(every(5, 0, 30), (t) => [
    ...(t === 15 ? [{ kind: "exit", t: 14, id: "D1", code: 137 }] : []),
    sample(t, "P1", restingPrefill),
    ...(t < 15 ? [sample(t, "D1", restingDecode)] : []),
    { kind: "sample", t, id: "R", open: [open("r1", t)] },
  ]);
  const all = await decisions(lines);
  expect(all.filter((line) => line.t > 0 && line.kind === "verdict" && line.subject === "engine D1")).toMatchObject([
    { t: 15, verdict: "down", cause: "exited", evidence: ["its process ended with exit code 137"] },
  ]);
  expect(actionsOf(all)[0]).toBe("15 restart engine D1");
});

test("an attached engine without control is not restarted by replay", async () => {
  const attached = pair.map((one) => ({ ...one, attached: true }));
  const lines = recording(
    every(5, 0, 20),
    (t) => [
      sample(t, "P1", restingPrefill),
      ...(t === 10 ? [{ kind: "exit", t, id: "D1", code: 1 }] : []),
      ...(t < 10 ? [sample(t, "D1", restingDecode)] : []),
    ],
    fleetLine(attached),
  );
  expect(actionsOf(await decisions(lines))).toEqual(["10 notify engine D1"]);
});
