import type { SavedFleet } from "../contract/saved-fleet.ts";
import type { Clock } from "../lib/clock.ts";
import type { Places } from "../lib/places.ts";

export type DaemonOptions = {
  readonly places: Places;
  readonly saved: SavedFleet;
  readonly clock: Clock;
  readonly signals: {
    readonly stop: AbortSignal;
    /** Cuts every wait of an end short. */
    readonly now: AbortSignal;
  };
  /** What `stop` means: to let go of the fleet, which runs on for the next daemon, or to end it. */
  readonly onStop: "leave" | "down";
  /** Progress, for people. */
  readonly say: (line: string) => void;
  /** Called once, when the fleet serves. */
  readonly onUp: (url: string) => void;
};
