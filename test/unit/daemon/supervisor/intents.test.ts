import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Outcome } from "../../../../src/contract/action.ts";
import { Intents } from "../../../../src/daemon/supervisor/intents.ts";
import { resumable } from "../../../../src/daemon/supervisor/resume.ts";
import { actionOf } from "./fleet-under-test.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-intents-"));
  path = join(folder, "intents.log");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const coRestart = actionOf("a1", { action: "co-restart", target: "fleet" });
const fail = actionOf("a2", { action: "fail", target: "request 7" });
const stop = actionOf("a3", { action: "stop", target: "fleet" });
const end = (actionId: string): Outcome => ({ actionId, outcome: "done", atMs: 1, words: "", details: [] });

function reopened(): Intents {
  const intents = new Intents(path);
  intents.close();
  return intents;
}

test("an operation without an end is open, with its steps, its epoch and its generations", () => {
  const intents = new Intents(path);
  intents.begin(coRestart);
  intents.step({ actionId: "a1", step: 1, words: "epoch 5", epoch: 5, generations: { prefill: 3 } });
  intents.begin(fail);
  intents.end(end("a2"));
  intents.close();
  const [open, ...more] = reopened().open();
  expect(more).toEqual([]);
  expect(open).toMatchObject({ action: { id: "a1" }, steps: [{ step: 1, epoch: 5, generations: { prefill: 3 } }] });
  expect(reopened().epoch).toBe(5);
});

test("a torn last line says nothing, and the next ones do", () => {
  const intents = new Intents(path);
  intents.begin(coRestart);
  intents.begin(fail);
  intents.close();
  const content = readFileSync(path);
  const cut = content.indexOf("\n", content.indexOf("\n") + 1);
  content.fill(0, cut - 10);
  writeFileSync(path, content);
  const again = new Intents(path);
  expect(again.open().map(({ action }) => action.id)).toEqual(["a1"]);
  again.end(end("a1"));
  again.close();
  expect(reopened().open()).toEqual([]);
});

test("when the file is full only what is open, the epoch and the quarantine stay", () => {
  const intents = new Intents(path);
  intents.reachEpoch(9);
  intents.setQuarantined([{ prefill: "p", decode: "d" }]);
  intents.begin(coRestart);
  const long = "x".repeat(100_000);
  for (let index = 0; index < 30; index += 1) {
    intents.begin({ ...fail, id: `f${index}`, why: long });
    intents.end(end(`f${index}`));
  }
  intents.close();
  const again = reopened();
  expect(again.open().map(({ action }) => action.id)).toEqual(["a1"]);
  expect([again.epoch, again.quarantined]).toEqual([9, [{ prefill: "p", decode: "d" }]]);
  expect(readFileSync(path).length).toBe(1024 * 1024);
});

test.each([
  { open: [coRestart, fail], wish: "up", goesOn: ["a1"], unknown: ["a2"] },
  { open: [coRestart], wish: "maintenance", goesOn: [], unknown: ["a1"] },
  { open: [coRestart, stop], wish: "up", goesOn: ["a3"], unknown: ["a1"] },
  { open: [stop], wish: "down", goesOn: ["a3"], unknown: [] },
] as const)("of $open.length open ones and the wish $wish, $goesOn go on", ({ open, wish, goesOn, unknown }) => {
  const found = resumable(
    open.map((action) => ({ action, steps: [] })),
    wish,
  );
  expect(found.goOn.map(({ action }) => action.id)).toEqual(goesOn);
  expect(found.unknown.map(({ action }) => action.id)).toEqual(unknown);
});
