import { expect, test } from "vitest";
import type { FleetEvent } from "../../../../src/contract/events.ts";
import { EventLog } from "../../../../src/daemon/event-log.ts";
import type { Page } from "../../../../src/daemon/journal/page.ts";
import { Thinner } from "../../../../src/daemon/journal/thin.ts";
import { Recorder } from "../../../../src/daemon/recorder.ts";
import { stderrLog } from "../../../../src/lib/stderr-log.ts";
import { serving, stopped, Turning } from "./turning.ts";

// A journal that keeps what it is given, and can be made to fail.
class Pages {
  readonly written: Page[] = [];
  fault: string | undefined;
  write(page: Page): void {
    this.written.push(page);
  }
}

function recording(turning: Turning): { pages: Pages; told: FleetEvent[]; recorder: Recorder; tick: () => void } {
  const [pages, told]: [Pages, FleetEvent[]] = [new Pages(), []];
  const recorder = new Recorder({
    journal: pages,
    events: new EventLog({ events: [], last: 41 }),
    thinner: new Thinner(),
    clock: { nowMs: () => turning.nowMs, wallMs: () => turning.nowMs },
    log: stderrLog("recorder").child({}, { level: "silent" }),
    bootId: "boot-1",
    onEvent: (event) => told.push(event),
  });
  const tick = (): void => {
    turning.tick();
    const turn = turning.turns.at(-1);
    if (turn !== undefined) recorder.record(turn);
  };
  return { pages, told, recorder, tick };
}

test("events are numbered on, written, and told in words", () => {
  const turning = new Turning(stopped);
  const { pages, told, recorder, tick } = recording(turning);
  recorder.tell({ kind: "watchdog", subject: "watchdog", words: "it is back", severity: "warning" });
  tick();
  expect(told.map(({ id, words }) => `${id} ${words}`)).toEqual([
    "42 it is back",
    "43 start (a1, wish): the fleet is wanted up and nothing of it runs",
  ]);
  expect(pages.written[0]?.events).toEqual(told);
  expect(pages.written[0]?.actions.map(({ id }) => id)).toEqual(["a1"]);
});

test("the ledger is written with each action and outcome, and now and then", () => {
  const turning = new Turning(serving);
  const { pages, tick } = recording(turning);
  for (let second = 0; second < 61; second += 1) {
    turning.seen = turning.well();
    tick();
  }
  const ledgers = pages.written.filter(({ kept }) => kept["ledger"] !== undefined);
  expect(ledgers).toHaveLength(3);
});

test("a journal that cannot be written is told once, and that it is written again", () => {
  const turning = new Turning(serving);
  const { pages, told, tick } = recording(turning);
  pages.fault = "the journal cannot be written: the disk is full";
  for (let second = 0; second < 3; second += 1) tick();
  pages.fault = undefined;
  for (let second = 0; second < 3; second += 1) tick();
  const words = told.flatMap(({ subject, words }) => (subject === "journal" ? [words] : []));
  expect(words).toEqual(["the journal cannot be written: the disk is full", "the journal is written again"]);
});
