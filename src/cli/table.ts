/** Rows under headings, columns as wide as their widest cell. An absent cell is a dash. */
export function table(headings: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  const cells = [headings, ...rows.map((row) => headings.map((_, index) => row[index] ?? "-"))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
