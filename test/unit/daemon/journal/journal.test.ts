import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Action, Outcome } from "../../../../src/contract/action.ts";
import type { FleetEvent } from "../../../../src/contract/events.ts";
import type { Verdict } from "../../../../src/contract/verdict.ts";
import { Journal } from "../../../../src/daemon/journal/journal.ts";
import type { KeptIncident, Page } from "../../../../src/daemon/journal/page.ts";

const action: Action = {
  id: "a1",
  action: "fail",
  target: "request r1",
  epoch: 1,
  by: "healer",
  why: "it is pinned",
  effect: "the request is gone",
  settleMs: 5_000,
};
const outcome: Outcome = { actionId: "a1", outcome: "done", atMs: 1_500, words: "failed on prefill", details: [] };
const verdict: Verdict = {
  subject: "request r1",
  verdict: "wedge",
  cause: "orphan",
  sinceMs: 500,
  evidence: ["decode does not know it"],
  ruledOut: [],
  sure: "high",
  moving: false,
  fresh: true,
  requests: ["r1"],
  engines: ["prefill"],
};
const incident: KeptIncident = {
  id: "i1",
  subject: "request r1",
  verdict: "wedge",
  cause: "orphan",
  since: "2026-01-01T00:00:00.000Z",
  verdicts: [{ at: "2026-01-01T00:00:00.000Z", verdict }],
  actions: [{ at: "2026-01-01T00:00:01.000Z", action, outcome }],
  subjects: ["request r1"],
  engines: ["prefill"],
  sinceMs: 0,
};
const beganMs = Date.parse("2026-01-01T00:00:00.000Z");

let folder: string;
let path: string;
const open: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdctl-journal-"));
  path = join(folder, "journal.db");
});
afterEach(() => {
  for (const journal of open.splice(0)) journal.close();
  rmSync(folder, { recursive: true, force: true });
});

function journalAt(more: { bootId?: string; nowMs?: number; bytesMax?: number } = {}): Journal {
  const journal = new Journal({ path, bootId: "boot-1", nowMs: 10_000, wallMs: beganMs + 10_000, ...more });
  open.push(journal);
  return journal;
}

function event(id: number): FleetEvent {
  return { id, at: "", atMs: id, kind: "verdict", subject: "request r1", words: "wedged", severity: "critical" };
}

function page(more: Partial<Page> = {}): Page {
  const empty = { events: [], seen: [], verdicts: [], actions: [], outcomes: [], incidents: [], kept: {} };
  return { nowMs: 1_000, wallMs: beganMs + 1_000, ...empty, ...more };
}

test("what one daemon wrote, the next one reads", () => {
  const first = journalAt();
  first.write(page({ events: [event(1), event(2)], actions: [action], verdicts: [verdict], kept: { epoch: "3" } }));
  first.write(page({ outcomes: [outcome], incidents: [incident], events: [event(3)] }));
  first.close();
  const { remembered, unread } = journalAt();
  expect(unread).toBeUndefined();
  expect(remembered).toEqual({
    incidents: [incident],
    actions: [{ atMs: 1_000, action, outcome }],
    events: [event(1), event(2), event(3)],
    counts: { events: 3, incidents: 1 },
    kept: { epoch: "3" },
  });
});

test("after a restart of the machine, times are moved to its new clock", () => {
  const first = journalAt();
  first.write(page({ actions: [action], outcomes: [outcome] }));
  first.close();
  const { actions } = journalAt({ bootId: "boot-2", nowMs: 2_000 }).remembered;
  expect(actions).toEqual([{ atMs: -7_000, action, outcome: { ...outcome, atMs: -6_500 } }]);
});

test("the first outcome of an action stays", () => {
  const first = journalAt();
  first.write(page({ actions: [action], outcomes: [outcome] }));
  first.write(page({ outcomes: [{ ...outcome, outcome: "unknown" }] }));
  first.close();
  expect(journalAt().remembered.actions[0]?.outcome?.outcome).toBe("done");
});

test.each([
  { what: "text", spoil: () => writeFileSync(path, "no database ".repeat(1_000)) },
  { what: "a file of another version", spoil: () => withDatabase("pragma user_version = 99; create table a (b)") },
  { what: "a file without a table", spoil: () => withDatabase("drop table actions") },
  { what: "a torn file", spoil: () => truncateSync(path, Math.floor(statSync(path).size / 2)) },
])("$what in its place is moved aside, and a new journal begins", ({ spoil }) => {
  const first = journalAt();
  for (let id = 1; id < 400; id += 1) first.write(page({ events: [event(id)] }));
  first.close();
  spoil();
  const second = journalAt();
  expect(second.unread).toMatch(/unreadable/);
  expect(second.remembered.events).toEqual([]);
  expect(existsSync(`${path}.aside`)).toBe(true);
  second.write(page({ events: [event(1)] }));
  expect(second.fault).toBeUndefined();
});

test("what cannot be opened at all is not moved, and stops nobody", () => {
  path = join(folder, "not-there", "journal.db");
  const journal = journalAt();
  expect(journal.unread).toMatch(/cannot be opened/);
  journal.write(page({ events: [event(1)] }));
  expect(journal.fault).toMatch(/cannot be opened/);
});

test("a locked file is written once it is free, with everything that waited", () => {
  const journal = journalAt();
  const other = new DatabaseSync(path);
  other.exec("begin immediate");
  journal.write(page({ events: [event(1)] }));
  expect(journal.fault).toMatch(/locked/);
  other.exec("rollback");
  other.close();
  journal.write(page({ events: [event(2)] }));
  expect(journal.fault).toBeUndefined();
  journal.close();
  expect(journalAt().remembered.events).toEqual([event(1), event(2)]);
});

test("a full file makes room by its oldest rows, and never grows beyond its limit", () => {
  const bytesMax = 256 * 1024;
  const journal = journalAt({ bytesMax });
  const line = { kind: "sample" as const, t: 1, id: "prefill", health: "ok" as const };
  let faults = 0;
  for (let id = 1; id <= 3_000; id += 1) {
    journal.write(page({ events: [event(id)], seen: Array.from({ length: 10 }, () => line) }));
    if (journal.fault !== undefined) faults += 1;
  }
  journal.write(page());
  expect(faults).toBeGreaterThan(0);
  expect(journal.fault).toBeUndefined();
  journal.close();
  expect(statSync(path).size).toBeLessThanOrEqual(bytesMax);
  expect(journalAt().remembered.events.at(-1)).toEqual(event(3_000));
});

function withDatabase(words: string): void {
  const database = new DatabaseSync(path);
  database.exec(words);
  database.close();
}
