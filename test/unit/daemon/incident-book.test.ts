import { expect, test } from "vitest";
import type { Action, Outcome } from "../../../src/contract/action.ts";
import type { Subject } from "../../../src/contract/subject.ts";
import type { Verdict, VerdictName } from "../../../src/contract/verdict.ts";
import { emptyBook, type IncidentBook, incidentOf, type Turn, turned } from "../../../src/daemon/incident-book.ts";

const wallMs = Date.parse("2026-01-01T00:00:00.000Z");

function says(subject: Subject, verdict: VerdictName, more: Partial<Verdict> = {}): Verdict {
  const engines = subject.startsWith("edge ") ? subject.slice("edge ".length).split(":") : [];
  const rest = { sinceMs: 1_000, evidence: ["so"], ruledOut: [], requests: [], engines };
  return { subject, verdict, ...rest, sure: "high", moving: false, fresh: true, ...more };
}

const well = (name: string): Verdict => says(`engine ${name}`, "idle");
const wedged = says("request r1", "wedge", { cause: "transfer-stall", engines: ["p", "d"] });
const fail: Action = {
  id: "a1",
  action: "fail",
  target: "request r1",
  epoch: 1,
  by: "healer",
  why: "it is pinned",
  verdict: { subject: "request r1", verdict: "wedge" },
  effect: "it is gone",
  settleMs: 5_000,
};
const done: Outcome = { actionId: "a1", outcome: "done", atMs: 62_000, words: "failed on p and d", details: [] };

// One tick a second, from 60 s on.
function after(...ticks: readonly Partial<Turn>[]): IncidentBook {
  return ticks.reduce<IncidentBook>((book, tick, index) => {
    const nowMs = 60_000 + index * 1_000;
    const turn = { verdicts: [], actions: [], outcomes: [], isWanted: true, nowMs, wallMs: wallMs + nowMs, ...tick };
    return turned(book, turn);
  }, emptyBook);
}

test.each<{ sentence: string; ticks: readonly Partial<Turn>[]; open: string[]; ended?: string[] }>([
  {
    sentence: "a suspicion opens nothing",
    ticks: [{ verdicts: [says("edge p:d", "suspect")] }],
    open: [],
  },
  {
    sentence: "a wedge is one incident, not one a tick",
    ticks: [{ verdicts: [wedged] }, { verdicts: [wedged] }, { verdicts: [wedged] }],
    open: ["i1 request r1 wedge"],
  },
  {
    sentence: "the requests of a wedged edge are part of its incident",
    ticks: [{ verdicts: [wedged, says("edge p:d", "wedge"), says("request r2", "wedge", { engines: ["p"] })] }],
    open: ["i1 edge p:d wedge"],
  },
  {
    sentence: "an incident is widened by what it turns out to be part of",
    ticks: [{ verdicts: [wedged] }, { verdicts: [wedged, says("engine d", "down", { cause: "exited" })] }],
    open: ["i1 engine d down"],
  },
  {
    sentence: "two edges without an engine in common are two",
    ticks: [{ verdicts: [says("edge p:d", "wedge"), says("edge q:e", "wedge")] }],
    open: ["i1 edge p:d wedge", "i2 edge q:e wedge"],
  },
  {
    sentence: "a router that is down is not part of an engine's trouble",
    ticks: [{ verdicts: [says("engine p", "down"), says("router", "down")] }],
    open: ["i1 router down", "i2 engine p down"],
  },
  {
    sentence: "unknown does not close",
    ticks: [{ verdicts: [wedged] }, { verdicts: [says("engine p", "unknown"), well("d")] }],
    open: ["i1 request r1 wedge"],
  },
  {
    sentence: "a look that is not fresh does not close",
    ticks: [{ verdicts: [wedged] }, { verdicts: [{ ...well("p"), fresh: false }, well("d")] }],
    open: ["i1 request r1 wedge"],
  },
  {
    sentence: "no verdict on an engine does not close",
    ticks: [{ verdicts: [says("engine p", "down")] }, { verdicts: [] }],
    open: ["i1 engine p down"],
  },
  {
    sentence: "an engine that starts is not well yet",
    ticks: [{ verdicts: [says("engine p", "down")] }, { verdicts: [says("engine p", "starting")] }],
    open: ["i1 engine p down"],
  },
  {
    sentence: "a request that is gone closes where its engines are freshly well",
    ticks: [{ verdicts: [wedged] }, { verdicts: [well("p"), says("engine d", "busy")] }],
    open: [],
    ended: ["i1 request r1 wedge 60"],
  },
  {
    sentence: "a suspicion that is left keeps the edge's incident open",
    ticks: [
      { verdicts: [says("edge p:d", "wedge")] },
      { verdicts: [says("edge p:d", "suspect"), well("p"), well("d")] },
    ],
    open: ["i1 edge p:d wedge"],
  },
  {
    sentence: "the next trouble is an incident of its own",
    ticks: [{ verdicts: [wedged] }, { verdicts: [well("p"), well("d")] }, { verdicts: [wedged] }],
    open: ["i2 request r1 wedge"],
    ended: ["i1 request r1 wedge 60"],
  },
  {
    sentence: "a fleet that is meant to be down has no incidents",
    ticks: [{ verdicts: [says("engine p", "down")], isWanted: false }],
    open: [],
  },
])("$sentence", ({ ticks, open, ended = [] }) => {
  const book = after(...ticks);
  expect(book.open.map(({ id, subject, verdict }) => `${id} ${subject} ${verdict}`)).toEqual(open);
  const told = book.ended.map(({ id, subject, verdict, healSeconds }) => `${id} ${subject} ${verdict} ${healSeconds}`);
  expect(told).toEqual(ended);
});

test("it holds the verdicts that changed something, what was done, and how that ended", () => {
  const book = after(
    { verdicts: [says("request r1", "suspect"), wedged] },
    { verdicts: [wedged], actions: [fail] },
    { verdicts: [wedged], outcomes: [done] },
    { verdicts: [well("p"), well("d")] },
  );
  expect(book.ended[0]).toMatchObject({
    since: "2026-01-01T00:00:01.000Z",
    ended: "2026-01-01T00:01:03.000Z",
    done: "fail request r1: done, failed on p and d",
    healSeconds: 62,
    actions: [{ action: fail, outcome: done }],
  });
  expect(incidentOf(book, "a1")?.id).toBe("i1");
});

test("an outcome that comes after the end is still noted", () => {
  const book = after(
    { verdicts: [wedged], actions: [fail] },
    { verdicts: [well("p"), well("d")] },
    { outcomes: [done] },
  );
  expect(book.ended[0]?.actions[0]?.outcome).toEqual(done);
});

test("where nothing changes the book is the same object", () => {
  const book = after({ verdicts: [wedged] }, { verdicts: [wedged] });
  const turn = { verdicts: [wedged], actions: [], outcomes: [], isWanted: true, nowMs: 70_000, wallMs };
  expect(turned(book, turn)).toBe(book);
});
