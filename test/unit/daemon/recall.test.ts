import { expect, test } from "vitest";
import type { Action, Outcome } from "../../../src/contract/action.ts";
import { fleetConfigSchema } from "../../../src/contract/config.ts";
import { emptyLedger } from "../../../src/daemon/healer/ledger.ts";
import type { Remembered } from "../../../src/daemon/journal/page.ts";
import { recalled } from "../../../src/daemon/recall.ts";

const config = fleetConfigSchema.parse({ policy: { "co-restarts": { max: 2, window: "1h" } } });
const hourMs = 3_600_000;
const wallMs = Date.parse("2026-01-01T12:00:00.000Z");

function action(id: string): Action {
  const more = { why: "", effect: "", settleMs: 0, epoch: 1 };
  return { id, action: "fail", target: "request r1", by: "healer", ...more };
}

function done(actionId: string): Outcome {
  return { actionId, outcome: "done", atMs: 0, words: "", details: [] };
}

function after(more: Partial<Remembered>, rest: { unread?: string; goingOn?: string[]; bootId?: string } = {}) {
  const remembered = { incidents: [], actions: [], events: [], counts: { events: 0, incidents: 0 }, kept: {}, ...more };
  const { unread, goingOn = [], bootId = "boot-1" } = rest;
  return recalled({ remembered, unread, goingOn, config, bootId, nowMs: 10 * hourMs, wallMs });
}

const spent = { ...emptyLedger(), planned: 4, coRestartsMs: [9 * hourMs] };
const kept = { boot: "boot-1", ledger: JSON.stringify(spent) };

test("the budget that was used up stays used up", () => {
  expect(after({ kept }).ledger.coRestartsMs).toEqual([9 * hourMs]);
});

test("after a restart of the machine it begins anew, but no action gets a name that was given before", () => {
  const { ledger } = after({ kept, actions: [{ atMs: 0, action: action("a9") }] }, { bootId: "boot-2" });
  expect(ledger).toMatchObject({ planned: 9, coRestartsMs: [] });
});

test("the count of actions goes on where the ledger is older than they are", () => {
  expect(after({ kept, actions: [{ atMs: 0, action: action("a7") }] }).ledger.planned).toBe(7);
});

test("an action without an outcome is unknown, unless it is gone on with", () => {
  const open = ["a1", "a2", "a3"].map((id) => ({ atMs: 0, action: action(id) }));
  const outcome = done("a3");
  const actions = [...open.slice(0, 2), { atMs: 0, action: action("a3"), outcome }];
  const { unknown, actions: views } = after({ actions }, { goingOn: ["a2"] });
  expect(unknown.map(({ actionId, outcome: how }) => `${actionId} ${how}`)).toEqual(["a1 unknown"]);
  expect(views.map(({ action: { id }, outcome: how }) => `${id} ${how?.outcome}`)).toEqual([
    "a1 undefined",
    "a2 undefined",
    "a3 done",
  ]);
});

test("a journal that could not be read allows only fail for one window", () => {
  const { restricted } = after({}, { unread: "the journal was unreadable" });
  expect(restricted).toMatchObject({ untilMs: 11 * hourMs, words: expect.stringMatching(/only fail.*unreadable/) });
});

test("the rest of such a window goes on under the next daemon, and ends", () => {
  const until = (untilWallMs: number): Remembered["kept"] => ({
    ...kept,
    restricted: JSON.stringify({ words: "only fail", untilWallMs }),
  });
  expect(after({ kept: until(wallMs + 60_000) }).restricted).toEqual({
    words: "only fail",
    untilMs: 10 * hourMs + 60_000,
  });
  expect(after({ kept: until(wallMs - 1) }).restricted).toBeUndefined();
});
