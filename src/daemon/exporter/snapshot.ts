import type { FleetView } from "../../contract/fleet.ts";
import type { EdgeLine, Sample } from "../../contract/observation.ts";
import type { Verdict } from "../../contract/verdict.ts";

/** What one tick knows. */
export type Snapshot = {
  readonly fleet: FleetView;
  /** The newest of each engine and of the router. */
  readonly samples: readonly Sample[];
  /** The newest of each edge. */
  readonly edges: readonly EdgeLine[];
  readonly verdicts: readonly Verdict[];
  readonly nowMs: number;
};
