// What a bench found, for people and for programs. Pure.

/** @param one {{case: string, ours: number, peer?: number, unit: string, ratio?: number, spread?: [number, number], runs: number}} */
export function jsonLine(bench, one) {
  const { case: name, ...rest } = one;
  return JSON.stringify({ bench, case: name, ...rest });
}

export function table(bench, cases) {
  const rows = cases.map((one) => [
    one.case,
    number(one.ours),
    one.peer === undefined ? "–" : number(one.peer),
    one.unit,
    one.ratio === undefined ? "–" : one.ratio.toFixed(2),
    one.spread === undefined ? "–" : `${one.spread[0].toFixed(2)} … ${one.spread[1].toFixed(2)}`,
    String(one.runs),
  ]);
  const all = [["case", "ours", "peer/budget", "unit", "ratio", "95 % interval", "runs"], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  return [`${bench} (ratio > 1 is better for us)`, ...lines, ""].join("\n");
}

function number(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
