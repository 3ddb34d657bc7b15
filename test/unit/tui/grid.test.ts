import { expect, test } from "vitest";
import { allot } from "../../../src/tui/allot.ts";
import { type Column, grid } from "../../../src/tui/grid.ts";
import { painted, span } from "../../../src/tui/line.ts";

const columns: Column<{ name: string; count: number; cause: string }>[] = [
  { heading: "NAME", leaves: 0, cell: ({ name }) => span(name) },
  { heading: "COUNT", leaves: 1, align: "right", cell: ({ count }) => span(String(count)) },
  { heading: "CAUSE", leaves: 0, shrinkTo: 5, cell: ({ cause }) => span(cause) },
];
const rows = [{ name: "decode", count: 12, cause: "transfer-stall" }];

test.each([
  { columnsMax: 27, drawn: ["NAME   COUNT CAUSE         ", "decode    12 transfer-stall"] },
  { columnsMax: 20, drawn: ["NAME   COUNT CAUSE  ", "decode    12 transf…"] },
  { columnsMax: 15, drawn: ["NAME   CAUSE   ", "decode transfe…"] },
  { columnsMax: 9, drawn: ["NAME   C…", "decode t…"] },
])("a table in $columnsMax columns is cut, then loses what may leave", ({ columnsMax, drawn }) => {
  const shown = grid(columns, rows, columnsMax).map((line) => painted(line, { columns: columnsMax, colour: false }));
  expect(shown).toEqual(drawn);
});

test("colour is the terminal's own sixteen, and ends with its word", () => {
  expect(painted([span("ok", "good"), span(" so")], { columns: 9, colour: true })).toBe("\u001B[32mok\u001B[0m so");
});

test.each([
  { rows: 20, given: [5, 10, 5] },
  { rows: 12, given: [5, 4, 3] },
  { rows: 6, given: [2, 4, 0] },
  { rows: 3, given: [2, 1, 0] },
  { rows: -1, given: [0, 0, 0] },
])("of $rows rows each part has its least first, then what is left goes in order: $given", ({ rows: all, given }) => {
  expect(
    allot(all, [
      { want: 5, least: 2 },
      { want: 10, least: 4 },
      { want: 5, least: 3 },
    ]),
  ).toEqual(given);
});
