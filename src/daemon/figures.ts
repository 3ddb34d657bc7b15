import type { FleetView } from "../contract/fleet.ts";
import type { Exporter } from "./exporter/exporter.ts";
import type { Turn } from "./loop.ts";

/** Leaves with the exporter what a tick knows, and counts what has happened in it. */
export function exported(
  exporter: Pick<Exporter, "update" | "countAction" | "countIncident" | "observeHeal">,
  { before, after, taken, verdicts }: Turn,
  fleet: FleetView,
): void {
  const { samples, edges, tickMs = 0 } = after;
  exporter.update({ fleet, samples: [...samples.values()], edges: [...edges.values()], verdicts, nowMs: tickMs });
  for (const { actionId, outcome } of taken.outcomes) {
    const action = after.actions.get(actionId)?.action.action;
    if (action !== undefined) exporter.countAction({ action, outcome });
  }
  if (before.book === after.book) return;
  const known = new Set([...before.book.open, ...before.book.ended].map(({ id }) => id));
  const now = [...after.book.open, ...after.book.ended];
  for (const one of now) if (!known.has(one.id)) exporter.countIncident(one);
  const wasOpen = new Set(before.book.open.map(({ id }) => id));
  for (const { id, healSeconds } of after.book.ended) {
    if (wasOpen.has(id) && healSeconds !== undefined) exporter.observeHeal(healSeconds);
  }
}
