import type { FleetConfig } from "../contract/config.ts";
import type { Instance } from "../contract/instances.ts";
import type { Clock } from "../lib/clock.ts";
import type { Places } from "../lib/places.ts";

/** What decides which processes a fleet has and how they are started. */
export type PlanOptions = {
  readonly config: FleetConfig;
  readonly places: Places;
  /** The model of each engine, as a path. */
  readonly modelOf: (instance: Instance) => string;
  /** How this program is run: the Node and the script. */
  readonly self: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
};

/** Everything that running a fleet takes. */
export type FleetOptions = PlanOptions & {
  readonly clock: Clock;
  /** How long everything together may take to be up. */
  readonly timeoutMs: number;
  /** Ends the fleet, with a drain; `now` cuts every wait of the end short. */
  readonly stop: AbortSignal;
  readonly now: AbortSignal;
  /** Progress, for people. */
  readonly say: (line: string) => void;
  /** Called once, when the canary request has gone through. */
  readonly onUp: (url: string) => void;
};
