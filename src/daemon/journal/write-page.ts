import type { DatabaseSync } from "node:sqlite";
import type { Observation } from "../../contract/observation.ts";
import type { Page } from "./page.ts";
import { lineBytesMax, rowsMax, type Table } from "./retention.ts";

const inserts = {
  event: "insert or replace into events values (?, ?, ?, ?, ?)",
  observation: "insert into observations values (null, ?, ?, ?)",
  verdict: "insert into verdicts values (null, ?, ?, ?, ?, ?)",
  action: "insert or ignore into actions values (null, ?, ?, ?, ?, ?)",
  // At most one an action: the first one counts.
  outcome: "insert or ignore into outcomes values (null, ?, ?)",
  incident: "insert into incidents values (null, ?1, ?2, ?3) on conflict (name) do update set ended = ?2, line = ?3",
  kept: "insert or replace into kept values (?, ?)",
} as const;

/** Writes all pages in one transaction, or nothing of them. */
export function writePages(database: DatabaseSync, pages: readonly Page[], bootId: string): void {
  database.exec("begin immediate");
  try {
    for (const page of pages) writePage(database, page, bootId);
    database.exec("commit");
  } catch (error) {
    // Some errors have ended the transaction themselves.
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function writePage(database: DatabaseSync, page: Page, bootId: string): void {
  const { wallMs, nowMs } = page;
  const run = (name: keyof typeof inserts, rows: readonly (string | number | null)[][]): void => {
    if (rows.length === 0) return;
    const statement = database.prepare(inserts[name]);
    for (const row of rows) statement.run(...row);
  };
  run(
    "event",
    page.events.map((one) => [one.id, wallMs, one.kind, one.subject, JSON.stringify(one)]),
  );
  run(
    "observation",
    page.seen.map((one) => [wallMs, targetOf(one), lineOf(one)]),
  );
  run(
    "verdict",
    page.verdicts.map((one) => [wallMs, one.subject, one.verdict, one.cause ?? null, JSON.stringify(one)]),
  );
  run(
    "action",
    page.actions.map((one) => [one.id, bootId, wallMs, nowMs, JSON.stringify(one)]),
  );
  run(
    "outcome",
    page.outcomes.map((one) => [one.actionId, JSON.stringify(one)]),
  );
  run(
    "incident",
    page.incidents.map((one) => [one.id, one.ended ?? null, JSON.stringify(one)]),
  );
  run(
    "kept",
    Object.entries(page.kept).map(([name, value]) => [name, value]),
  );
}

function targetOf(one: Observation): string {
  switch (one.kind) {
    case "sample":
    case "exit":
    case "log":
    case "scrape":
      return one.id;
    case "edge":
      return `${one.prefill}:${one.decode}`;
    case "canary":
      return one.edge;
    case "clock":
      return "clock";
  }
}

function lineOf(one: Observation): string {
  const line = JSON.stringify(one);
  if (line.length <= lineBytesMax || one.kind !== "sample") return line.slice(0, lineBytesMax);
  const { requests, open, ranks, ...rest } = one;
  return JSON.stringify(rest);
}

/** Takes away the oldest rows beyond what is kept. */
export function prune(database: DatabaseSync): void {
  for (const [table, max] of Object.entries(rowsMax)) {
    database.exec(`delete from ${table} where id <= (select max(id) from ${table}) - ${max}`);
  }
}

/** Takes away half of the tables that grow with time alone, and a quarter of the events. */
export function makeRoom(database: DatabaseSync): void {
  const shares: readonly (readonly [Table, number])[] = [
    ["observations", 0.5],
    ["verdicts", 0.5],
    ["events", 0.25],
  ];
  for (const [table, share] of shares) {
    database.exec(
      `delete from ${table} where id <= (select min(id) + (max(id) - min(id) + 1) * ${share} from ${table})`,
    );
  }
}
