import { expect, test } from "vitest";
import type { Observation } from "../../../../src/contract/observation.ts";
import { Thinner } from "../../../../src/daemon/journal/thin.ts";

function sample(id: string, t: number): Observation {
  return { kind: "sample", t, id };
}

test("while all is well, one sample a target in ten seconds is kept", () => {
  const thinner = new Thinner();
  const kept = Array.from({ length: 25 }, (_, t) =>
    thinner.keep([sample("p", t), sample("d", t)], { troubled: false, nowMs: t * 1_000 }),
  ).flat();
  expect(kept.map(({ t }) => t)).toEqual([0, 0, 10, 10, 20, 20]);
});

test("trouble brings those before it, all in it, and those shortly after", () => {
  const thinner = new Thinner();
  const kept = Array.from({ length: 60 }, (_, t) =>
    thinner.keep([sample("p", t)], { troubled: t === 15, nowMs: t * 1_000 }),
  ).flat();
  expect(kept.map(({ t }) => t)).toEqual([
    0,
    10,
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14],
    ...Array.from({ length: 31 }, (_, index) => 15 + index),
    46,
    56,
  ]);
});

test("lines of logs and raw answers are never kept", () => {
  const thinner = new Thinner();
  const lines: Observation[] = [
    { kind: "log", t: 0, id: "p", line: "a prompt" },
    { kind: "scrape", t: 0, id: "p", source: "metrics", body: "a body" },
  ];
  expect(thinner.keep(lines, { troubled: true, nowMs: 0 })).toEqual([]);
});
