import type { EdgeView } from "../../contract/fleet.ts";
import { clean } from "../cells.ts";
import { type Column, grid } from "../grid.ts";
import { type Line, span } from "../line.ts";
import { dash, shortNumber } from "../short.ts";
import type { TopState } from "../state.ts";
import { verdictSpan, worstFirst } from "../tone.ts";

/** An edge that is taken out while others serve is no disaster. */
type Row = EdgeView & { readonly othersServe: boolean };

const columns: readonly Column<Row>[] = [
  {
    heading: "EDGE",
    columnsMin: 18,
    shrinkTo: 12,
    leaves: 0,
    cell: ({ prefill, decode }) => span(`${clean(prefill)} → ${clean(decode)}`),
  },
  { heading: "VERDICT", columnsMin: 10, shrinkTo: 10, leaves: 0, cell: (edge) => verdictSpan(edge, edge) },
  { heading: "OPEN", columnsMin: 4, align: "right", leaves: 0, cell: ({ open }) => span(shortNumber(open)) },
  { heading: "OK/TRIED", columnsMin: 8, align: "right", leaves: 1, cell: (edge) => span(tried(edge)) },
  {
    heading: "",
    leaves: 2,
    cell: ({ quarantined }) => (quarantined ? span("! quarantined", "warn") : span("")),
  },
];

/** The pairs of prefill and decode; those that fare worst first where there is no room for all. */
export function edgeLines(
  { shown }: TopState,
  { columns: columnsMax, rows }: { columns: number; rows: number },
): Line[] {
  const known = shown.view.fleet.edges;
  const serving = known.filter(({ quarantined }) => !quarantined).length;
  const edges = known.map((edge) => ({ ...edge, othersServe: serving > (edge.quarantined ? 0 : 1) }));
  if (edges.length === 0) return [];
  if (edges.length < rows) return grid(columns, edges, columnsMax);
  const kept = worstFirst(edges).slice(0, Math.max(0, rows - 2));
  const rest = [span(`… ${edges.length - kept.length} more`, "dim")];
  return [...grid(columns, kept, columnsMax), rest].slice(0, rows);
}

function tried({ okTotal, attemptsTotal }: EdgeView): string {
  return okTotal === undefined && attemptsTotal === undefined
    ? dash
    : `${shortNumber(okTotal)}/${shortNumber(attemptsTotal)}`;
}
