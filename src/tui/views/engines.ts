import type { EdgeView, EngineLoad, ProcessView } from "../../contract/fleet.ts";
import { clean, widthOf } from "../cells.ts";
import { type Column, grid } from "../grid.ts";
import { type Line, span } from "../line.ts";
import type { Meter } from "../rates.ts";
import { shortBytes, shortNumber, shortPercent, shortSeconds } from "../short.ts";
import type { TopState } from "../state.ts";
import { verdictSpan, worstFirst } from "../tone.ts";

type Row = { readonly process: ProcessView; readonly meter: Meter | undefined; readonly open: number | undefined };
type Group = { readonly heading: string; readonly roles: readonly ProcessView["role"][]; readonly more: Column<Row>[] };

const groups: readonly Group[] = [
  {
    heading: "PREFILL",
    roles: ["prefill"],
    more: [
      queue("BOOT", "bootstrap_queue"),
      queue("WAIT", "waiting"),
      queue("RUN", "running"),
      queue("INFL", "inflight"),
      { ...number("OLDEST", 6, 0), cell: ({ process }) => span(shortSeconds(process.load?.inflight_oldest_s)) },
    ],
  },
  {
    heading: "DECODE",
    roles: ["decode", "both"],
    more: [
      queue("PRE", "prealloc_queue"),
      queue("XFER", "transfer_queue"),
      queue("WAIT", "waiting"),
      queue("RUN", "running"),
    ],
  },
];

const rates: Column<Row>[] = [
  { ...number("KV", 4, 1), cell: ({ process }) => span(shortPercent(process.load?.kv_usage)) },
  { ...number("TOK/S", 6, 2), cell: ({ meter }) => span(shortNumber(meter?.tokensPerS)) },
  { ...number("BYTES/S", 7, 3), cell: ({ meter }) => span(shortBytes(meter?.bytesPerS)) },
];
const open: Column<Row> = { ...number("OPEN", 4, 0), cell: (row) => span(shortNumber(row.open)) };

/** The engines, a table a role, and the router; those that fare worst first where there is no room for all. */
export function engineLines({ shown, meters }: TopState, { columns, rows }: { columns: number; rows: number }): Line[] {
  const { engines, router, edges } = shown.view.fleet;
  const all = [...engines, router];
  const whole = tables(all, meters, edges, columns);
  if (whole.length <= rows) return whole;
  const kept = worstFirst(all).slice(0, Math.max(0, all.length - (whole.length - rows) - 1));
  const left = all.length - kept.length;
  return [...tables(kept, meters, edges, columns), [span(`… ${left} more that fare no worse`, "dim")]].slice(0, rows);
}

function tables(
  processes: readonly ProcessView[],
  meters: TopState["meters"],
  edges: readonly EdgeView[],
  columnsMax: number,
): Line[] {
  const first = firstColumns(processes);
  const rowsOf = (roles: readonly ProcessView["role"][]): Row[] =>
    processes
      .filter(({ role }) => roles.includes(role))
      .map((process) => ({ process, meter: meters.get(process.name), open: openOf(edges) }));
  const table = (heading: string, more: readonly Column<Row>[], rows: readonly Row[]): Line[] =>
    rows.length === 0 ? [] : grid([...first(heading), ...more], rows, columnsMax);
  return [
    ...groups.flatMap(({ heading, roles, more }) => table(heading, [...more, ...rates], rowsOf(roles))),
    ...table("ROUTER", [open], rowsOf(["router"])),
  ];
}

// The same in every table, so that the tables stand under each other.
function firstColumns(processes: readonly ProcessView[]): (heading: string) => Column<Row>[] {
  const widest = (text: (process: ProcessView) => string): number =>
    Math.max(0, ...processes.map((process) => widthOf(text(process))));
  const nameColumns = widest(({ name }) => clean(name));
  const verdictColumns = widest((process) => verdictSpan(process).text);
  return (heading) => [
    { heading, columnsMin: nameColumns, shrinkTo: 8, leaves: 0, cell: ({ process }) => span(clean(process.name)) },
    { heading: "STATE", columnsMin: 8, shrinkTo: 5, leaves: 0, cell: ({ process }) => span(process.state) },
    { ...number("GEN", 3, 4), cell: ({ process }) => span(String(process.generation)) },
    {
      heading: "VERDICT",
      columnsMin: Math.max(10, verdictColumns),
      shrinkTo: 10,
      leaves: 0,
      cell: ({ process }) => verdictSpan(process),
    },
  ];
}

function queue(heading: string, name: keyof EngineLoad): Column<Row> {
  return { ...number(heading, 4, 0), cell: ({ process }) => span(shortNumber(process.load?.[name])) };
}

function number(heading: string, columnsMin: number, leaves: number) {
  return { heading, columnsMin, leaves, align: "right" } as const;
}

function openOf(edges: readonly EdgeView[]): number | undefined {
  const known = edges.flatMap(({ open }) => (open === undefined ? [] : [open]));
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0);
}
