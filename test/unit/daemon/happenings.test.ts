import { expect, test } from "vitest";
import type { Cause, Verdict, VerdictName } from "../../../src/contract/verdict.ts";
import { changedVerdicts, happeningsOf } from "../../../src/daemon/happenings.ts";
import { serving, Turning } from "./loop/turning.ts";

function says(verdict: VerdictName, cause?: Cause): Verdict {
  const rest = { sinceMs: 0, evidence: [], ruledOut: [], sure: "high", moving: false, fresh: true } as const;
  const said: Verdict = {
    ...rest,
    evidence: [],
    ruledOut: [],
    subject: "engine p",
    verdict,
    requests: [],
    engines: ["p"],
  };
  return cause === undefined ? said : { ...said, cause };
}

test.each([
  { sentence: "the flicker of a healthy engine is no news", before: says("idle"), after: says("busy"), news: false },
  { sentence: "trouble is news", before: says("idle"), after: says("suspect"), news: true },
  { sentence: "that it is over is news", before: says("wedge"), after: says("ok"), news: true },
  { sentence: "another cause is news", before: says("down", "exited"), after: says("down", "crash-loop"), news: true },
  { sentence: "the same again is no news", before: says("suspect"), after: says("suspect"), news: false },
  { sentence: "health at the first look is no news", before: undefined, after: says("ok"), news: false },
  { sentence: "nothing known at the first look is no news", before: undefined, after: says("unknown"), news: false },
  { sentence: "silence later is news", before: says("ok"), after: says("unknown", "no-data"), news: true },
  { sentence: "trouble at the first look is news", before: undefined, after: says("down"), news: true },
])("$sentence", ({ before, after, news }) => {
  expect(changedVerdicts(before === undefined ? [] : [before], [after])).toEqual(news ? [after] : []);
});

test("a start is told by the supervisor alone, and an engine is called the same by everybody", () => {
  const turning = new Turning(serving);
  turning.seen = turning.well();
  turning.tick();
  const { state } = turning.loop;
  const starting = { ...says("starting"), subject: "engine prefill" } as const;
  const words = [{ subject: "prefill", words: "loading the model" }];
  const changes = { before: { ...state, verdicts: [] }, after: { ...state, verdicts: [starting] } };
  expect(happeningsOf({ ...changes, actions: [], outcomes: [], words })).toEqual([
    { kind: "step", subject: "engine prefill", words: "loading the model", severity: "ok" },
  ]);
  const ready = { ...says("ok"), subject: "engine prefill" } as const;
  const later = { before: changes.after, after: { ...state, verdicts: [ready] } };
  expect(happeningsOf({ ...later, actions: [], outcomes: [], words: [] })).toEqual([]);
});
