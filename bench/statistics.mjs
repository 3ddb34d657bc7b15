// Medians and their intervals without any assumption about the noise of a shared machine. Pure.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** 95 % interval of the median by order statistics: the widest pair of ranks that chance leaves with 5 % or less. */
export function medianInterval(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let [below, rank] = [0.5 ** n, 0];
  for (let term = 0.5 ** n; 2 * below <= 0.05 && rank < n >> 1; rank += 1) {
    term *= (n - rank) / (rank + 1);
    below += term;
  }
  const lowest = Math.max(0, rank - 1);
  return [sorted[lowest], sorted[n - 1 - lowest]];
}

/** Pairs measured side by side: the ratio of each pair, so that a slow minute hits both of it. */
export function compare(name, unit, ours, peer) {
  const ratios = ours.map((value, index) => value / peer[index]);
  return {
    case: name,
    ours: median(ours),
    peer: median(peer),
    unit,
    ratio: median(ratios),
    spread: medianInterval(ratios),
    runs: ours.length,
  };
}

/** The same for times, of which less is better. */
export function compareTimes(name, unit, ours, peer) {
  const { ratio: _, spread: __, ...row } = compare(name, unit, ours, peer);
  const ratios = ours.map((value, index) => peer[index] / value);
  return { ...row, ratio: median(ratios), spread: medianInterval(ratios) };
}

/** Against a budget of which less is better. */
export function against(name, unit, ours, budget) {
  const ratios = ours.map((value) => budget / value);
  return {
    case: name,
    ours: median(ours),
    peer: budget,
    unit,
    ratio: median(ratios),
    spread: medianInterval(ratios),
    runs: ours.length,
  };
}
