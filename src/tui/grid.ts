import { padded, widthOf } from "./cells.ts";
import { type Line, type Span, span } from "./line.ts";

/** One column of a table of `T`. */
export type Column<T> = {
  readonly heading: string;
  readonly cell: (row: T) => Span;
  readonly align?: "left" | "right";
  /** So that a table does not move with every tick. */
  readonly columnsMin?: number;
  /** It may be cut down to that where the screen is narrow; without it, it never is. */
  readonly shrinkTo?: number;
  /** Which columns go first where the screen is narrower still: the highest. 0 stays. */
  readonly leaves: number;
};

type Placed<T> = Column<T> & { readonly width: number };

const gap = "  ";

/** The heading and one line a row, in at most that many columns. */
export function grid<T>(columns: readonly Column<T>[], rows: readonly T[], columnsMax: number): Line[] {
  const placed = placeColumns(columns, rows, columnsMax);
  const heading = lineOf(placed, ({ heading, width, align }) => span(padded(heading, width, align), "dim"));
  const lines = rows.map((row) =>
    lineOf(placed, ({ cell, width, align }) => {
      const { text, tone } = cell(row);
      return span(padded(text, width, align), tone);
    }),
  );
  return [heading, ...lines];
}

function lineOf<T>(placed: readonly Placed<T>[], cell: (column: Placed<T>) => Span): Line {
  return placed.flatMap((column, index) => (index === 0 ? [cell(column)] : [span(gap), cell(column)]));
}

function placeColumns<T>(columns: readonly Column<T>[], rows: readonly T[], columnsMax: number): Placed<T>[] {
  const natural = columns.map((column) => ({ ...column, width: naturalWidth(column, rows) }));
  const kept = withoutThoseThatLeave(natural, columnsMax);
  let over = totalWidth(kept) - columnsMax;
  return kept.map((column) => {
    const less = Math.max(0, Math.min(over, column.width - (column.shrinkTo ?? column.width)));
    over -= less;
    return { ...column, width: column.width - less };
  });
}

// A column leaves only where shrinking all others is not enough.
function withoutThoseThatLeave<T>(columns: readonly Placed<T>[], columnsMax: number): Placed<T>[] {
  const least = totalWidth(columns.map((one) => ({ ...one, width: Math.min(one.width, one.shrinkTo ?? one.width) })));
  const next = Math.max(0, ...columns.map(({ leaves }) => leaves));
  if (least <= columnsMax || next === 0) return [...columns];
  return withoutThoseThatLeave(
    columns.filter(({ leaves }) => leaves !== next),
    columnsMax,
  );
}

function naturalWidth<T>({ heading, cell, columnsMin = 0 }: Column<T>, rows: readonly T[]): number {
  return rows.reduce((width, row) => Math.max(width, widthOf(cell(row).text)), Math.max(columnsMin, widthOf(heading)));
}

function totalWidth(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width, gap.length * Math.max(0, columns.length - 1));
}
