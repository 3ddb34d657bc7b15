import type { DatabaseSync } from "node:sqlite";
import type { z } from "zod";
import { actionSchema, outcomeSchema } from "../../contract/action.ts";
import { eventSchema } from "../../contract/events.ts";
import { keptIncidentSchema, type PastAction, type Remembered } from "./page.ts";
import { readBack } from "./retention.ts";
import { numberOf } from "./tables.ts";

/** The moment of reading: times of another boot are moved to where they are on the clock of this one. */
export type Moment = { readonly bootId: string; readonly nowMs: number; readonly wallMs: number };

/** What was so far. A row that this version does not understand is left out. */
export function rememberedIn(database: DatabaseSync, moment: Moment): Remembered {
  const events = database.prepare("select line from events order by id desc limit ?").all(readBack.events);
  const incidents = database
    .prepare("select line from incidents where ended is null or id > (select max(id) from incidents) - ? order by id")
    .all(readBack.incidents);
  const kept = database.prepare("select name, value from kept").all();
  return {
    events: events.reverse().flatMap(({ line }) => parsed(eventSchema, line)),
    incidents: incidents
      .flatMap(({ line }) => parsed(keptIncidentSchema, line))
      .map((one) => ({ ...one, sinceMs: moment.nowMs - (moment.wallMs - Date.parse(one.since)) })),
    actions: actionsIn(database, moment),
    counts: {
      events: numberOf(database, "select coalesce(max(id), 0) as n from events", "n"),
      incidents: numberOf(
        database,
        "select coalesce(max(cast(substr(name, 2) as integer)), 0) as n from incidents",
        "n",
      ),
    },
    kept: Object.fromEntries(kept.map(({ name, value }) => [String(name), String(value)])),
  };
}

function actionsIn(database: DatabaseSync, { bootId, nowMs, wallMs }: Moment): PastAction[] {
  const rows = database
    .prepare(
      "select a.boot, a.wall_ms, a.at_ms, a.line, o.line as outcome from actions a left join outcomes o on o.action = a.name order by a.id desc limit ?",
    )
    .all(readBack.actions);
  return rows.reverse().flatMap((row) => {
    const [action] = parsed(actionSchema, row["line"]);
    if (action === undefined) return [];
    const [outcome] = row["outcome"] === null ? [] : parsed(outcomeSchema, row["outcome"]);
    const thenMs = Number(row["at_ms"]);
    const atMs = row["boot"] === bootId ? thenMs : nowMs - (wallMs - Number(row["wall_ms"]));
    const ended = outcome === undefined ? {} : { outcome: { ...outcome, atMs: outcome.atMs - thenMs + atMs } };
    return [{ atMs, action, ...ended }];
  });
}

function parsed<T>(schema: z.ZodType<T>, line: unknown): T[] {
  const found = schema.safeParse(JSON.parse(String(line)));
  return found.success ? [found.data] : [];
}
