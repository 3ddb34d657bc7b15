/** How many rows a part of the screen wants, and how few still say something. */
export type Demand = { readonly want: number; readonly least: number };

/** Shares the rows of the screen out: first everyone's least, in order, then what is left, in order. */
export function allot(rows: number, demands: readonly Demand[]): number[] {
  let left = Math.max(0, rows);
  const given = demands.map(({ want, least }) => {
    const share = Math.min(want, least, left);
    left -= share;
    return share;
  });
  return demands.map(({ want }, index) => {
    const share = given[index] ?? 0;
    const more = Math.min(want - share, left);
    left -= more;
    return share + more;
  });
}
