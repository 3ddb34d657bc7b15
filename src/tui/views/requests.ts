import type { RequestView } from "../../contract/request-view.ts";
import { clean } from "../cells.ts";
import { type Column, grid } from "../grid.ts";
import { type Line, span, toned } from "../line.ts";
import { listed } from "../reduce.ts";
import { dash, shortBytes, shortMs } from "../short.ts";
import type { TopState } from "../state.ts";
import { verdictSpan } from "../tone.ts";

const columns: readonly Column<RequestView>[] = [
  { heading: "REQUEST", columnsMin: 12, shrinkTo: 8, leaves: 0, cell: ({ id }) => span(clean(id)) },
  { heading: "ROOM", columnsMin: 6, shrinkTo: 6, leaves: 4, cell: ({ room }) => span(room ?? dash) },
  { heading: "STAGE", columnsMin: 9, leaves: 0, cell: ({ stage }) => span(stage) },
  { heading: "IN STAGE", columnsMin: 8, align: "right", leaves: 0, cell: (one) => span(shortMs(one.stageAgeMs)) },
  { heading: "AGE", columnsMin: 6, align: "right", leaves: 0, cell: ({ ageMs }) => span(shortMs(ageMs)) },
  { heading: "P", columnsMin: 7, shrinkTo: 5, leaves: 2, cell: ({ prefill }) => span(clean(prefill ?? dash)) },
  { heading: "D", columnsMin: 7, shrinkTo: 5, leaves: 2, cell: ({ decode }) => span(clean(decode ?? dash)) },
  { heading: "MOVED", columnsMin: 11, align: "right", leaves: 1, cell: (one) => span(moved(one)) },
  { heading: "DEADLINE", columnsMin: 14, shrinkTo: 8, leaves: 3, cell: (one) => span(deadlineOf(one)) },
  { heading: "VERDICT", columnsMin: 7, shrinkTo: 10, leaves: 0, cell: (one) => verdictSpan(one) },
];
const mark = { here: span("▸ "), other: span("  ") };

/** The live requests around the cursor: as many as there are rows for. */
export function requestLines(
  state: TopState,
  { columns: columnsMax, rows }: { columns: number; rows: number },
): Line[] {
  const requests = listed(state);
  const heading = [span(`REQUESTS  ${requests.length} live, by ${state.sort}`, "dim")];
  if (requests.length === 0 || rows < 3) return [heading].slice(0, rows);
  const first = firstShown(state.cursor.at, { count: requests.length, room: rows - 2 });
  const visible = requests.slice(first, first + rows - 2);
  const [names, ...lines] = grid(columns, visible, columnsMax - 2);
  return [
    heading,
    [mark.other, ...(names ?? [])],
    ...lines.map((line, index) =>
      first + index === state.cursor.at ? toned([mark.here, ...line], "chosen") : [mark.other, ...line],
    ),
  ];
}

// The cursor stands in the middle, but at both ends of the list.
function firstShown(at: number, { count, room }: { readonly count: number; readonly room: number }): number {
  return Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
}

function moved({ bytesDone, bytesTotal }: RequestView): string {
  if (bytesDone === undefined && bytesTotal === undefined) return dash;
  return `${shortBytes(bytesDone)}/${shortBytes(bytesTotal)}`;
}

function deadlineOf({ deadline }: RequestView): string {
  return deadline === undefined ? dash : `${shortMs(deadline.inMs)} ${deadline.name}`;
}
