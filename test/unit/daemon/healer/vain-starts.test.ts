import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/contract/action.ts";
import { emptyLedger, type Ledger } from "../../../../src/daemon/healer/ledger.ts";
import { note } from "../../../../src/daemon/healer/note.ts";
import { plan } from "../../../../src/daemon/healer/plan.ts";
import { fact, pair, situation } from "./support.ts";

type Ending = Pick<Outcome, "outcome" | "startedNothing">;

const onFullDisk: Ending = { outcome: "failed", startedNothing: true };

/** A decode that fails, and whose starts end as `endsAt` says, 300 ms after they began. */
function startsOfDecode(endsAt: (nowMs: number) => Ending, limitMs: number): string[] {
  let ledger: Ledger = emptyLedger();
  let sinceMs = 0;
  const planned: string[] = [];
  for (let nowMs = 0; nowMs < limitMs; nowMs += 100) {
    const processes = pair.map((one) => (one.name === "d" ? fact("d", "decode", { state: "failed", sinceMs }) : one));
    const actions = plan(situation({ processes, nowMs, ledger }));
    ledger = note(ledger, { verdicts: [], actions, outcomes: [], nowMs });
    for (const { id, action, target, why } of actions) {
      const ending = endsAt(nowMs);
      const atMs = nowMs + 300;
      ledger = note(ledger, {
        ...{ verdicts: [], actions: [], nowMs: atMs },
        outcomes: [{ actionId: id, atMs, words: "", details: [], ...ending }],
      });
      if (action === "start" && ending.outcome !== "refused") sinceMs = atMs;
      planned.push(`${nowMs / 1_000} ${action} ${target}: ${why.split("; ").at(-1)}`);
    }
  }
  return planned;
}

test.each([{ how: onFullDisk }, { how: { outcome: "refused" } as const }])(
  "a start of which nothing came to run is tried with longer pauses for as long as that lasts: $how.outcome",
  ({ how }) => {
    const planned = startsOfDecode(() => how, 600_000);
    expect(planned.every((line) => line.endsWith("start engine d: start 1 of 5"))).toBe(true);
    const times = planned.map((line) => Number(line.split(" ")[0]));
    const pauses = times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));
    expect(pauses.slice(0, 6)).toEqual([2, 4, 8, 16, 32, 60]);
    expect(pauses.slice(6).every((pause) => pause === 60)).toBe(true);
  },
);

test("when the disk has room again the whole budget is still there for a process that crashes", () => {
  const freeMs = 200_000;
  const planned = startsOfDecode((nowMs) => (nowMs < freeMs ? onFullDisk : { outcome: "failed" }), 600_000);
  const after = planned.filter((line) => Number(line.split(" ")[0]) * 1_000 >= freeMs);
  expect(after.map((line) => line.split(": ")[1])).toEqual([
    ...[1, 2, 3, 4, 5].map((start) => `start ${start} of 5`),
    expect.stringContaining("it was started 5 times") as string,
  ]);
});

test("starts in vain give nothing back of what crashes have used up", () => {
  const planned = startsOfDecode((nowMs) => (nowMs < 10_000 ? { outcome: "failed" } : onFullDisk), 100_000);
  expect(planned.map((line) => line.split(": ")[1])).toEqual([
    ...[1, 2, 3, 4].map((start) => `start ${start} of 5`),
    ...planned.slice(4).map(() => "start 4 of 5"),
  ]);
});
