import type { EdgeLine, Sample } from "../../contract/observation.ts";

/**
 * Edges with what has moved over them, from what engines said in the same look. An engine counts all that it sends or
 * takes, so its sum is an edge's own only where the engine has no other: elsewhere it is unknown.
 */
export function withBytes(edges: readonly EdgeLine[], samples: readonly Sample[]): readonly EdgeLine[] {
  const totals = new Map(samples.map((sample) => [sample.id, sample.transfer_bytes_total]));
  const prefills = countOf(edges.map(({ prefill }) => prefill));
  const decodes = countOf(edges.map(({ decode }) => decode));
  return edges.map((edge) => {
    const { prefill, decode } = edge;
    if (prefill === decode) return edge;
    // Decode where there is a choice: what it has taken has arrived. Always the same one, so that sums do not jump.
    const teller = decodes.get(decode) === 1 ? decode : prefills.get(prefill) === 1 ? prefill : undefined;
    const total = teller === undefined ? undefined : totals.get(teller);
    return total === undefined ? edge : { ...edge, bytes_total: total };
  });
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
