import { padded, widthOf } from "./cells.ts";
import { type Line, type Span, span } from "./line.ts";

/** How wide a column is, and what becomes of it where the screen is narrow. */
export type Place = {
  readonly align?: "left" | "right";
  /** So that a table does not move with every tick. */
  readonly columnsMin?: number;
  /** It may be cut down to that; without it, it never is. */
  readonly shrinkTo?: number;
  /** Which go first where cutting is not enough: the highest. 0 stays. */
  readonly leaves: number;
};

/** One column of a table of `T`. */
export type Column<T> = Place & { readonly heading: string; readonly cell: (row: T) => Span };

type Placed = Place & { readonly at: number; readonly width: number };

// Below it every column counts.
const airyFrom = 100;

/** A heading and one line a row, in at most that many columns. */
export function grid<T>(columns: readonly Column<T>[], rows: readonly T[], columnsMax: number): Line[] {
  const headings = columns.map(({ heading }) => span(heading, "dim"));
  return aligned(columns, [headings, ...rows.map((row) => columns.map(({ cell }) => cell(row)))], columnsMax);
}

/** Rows of cells under each other, in at most that many columns. */
export function aligned(places: readonly Place[], rows: readonly (readonly Span[])[], columnsMax: number): Line[] {
  const gap = span(columnsMax < airyFrom ? " " : "  ");
  const natural = places.map((place, at) => ({ ...place, at, width: naturalWidth(place, at, rows) }));
  const placed = shrunk(withoutThoseThatLeave(natural, columnsMax, gap.text.length), columnsMax, gap.text.length);
  return rows.map((row) =>
    placed.flatMap(({ at, width, align }, index) => {
      const { text, tone } = row[at] ?? span("");
      const cell = span(padded(text, width, align), tone);
      return index === 0 ? [cell] : [gap, cell];
    }),
  );
}

function naturalWidth({ columnsMin = 0 }: Place, at: number, rows: readonly (readonly Span[])[]): number {
  return rows.reduce((width, row) => Math.max(width, widthOf(row[at]?.text ?? "")), columnsMin);
}

// A column leaves only where shrinking all others is not enough.
function withoutThoseThatLeave(columns: readonly Placed[], columnsMax: number, gap: number): readonly Placed[] {
  const least = totalWidth(
    columns.map(({ width, shrinkTo }) => ({ width: Math.min(width, shrinkTo ?? width) })),
    gap,
  );
  const next = Math.max(0, ...columns.map(({ leaves }) => leaves));
  if (least <= columnsMax || next === 0) return columns;
  const kept = columns.filter(({ leaves }) => leaves !== next);
  return withoutThoseThatLeave(kept, columnsMax, gap);
}

// From the right: what stands on the left is the name.
function shrunk(columns: readonly Placed[], columnsMax: number, gap: number): Placed[] {
  let over = totalWidth(columns, gap) - columnsMax;
  return columns
    .toReversed()
    .map((column) => {
      const less = Math.max(0, Math.min(over, column.width - (column.shrinkTo ?? column.width)));
      over -= less;
      return { ...column, width: column.width - less };
    })
    .toReversed();
}

function totalWidth(columns: readonly { readonly width: number }[], gap: number): number {
  return columns.reduce((sum, { width }) => sum + width, gap * Math.max(0, columns.length - 1));
}
