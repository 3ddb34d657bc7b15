import type { ActionView } from "../../contract/action.ts";
import type { EngineDetail } from "../../contract/engine-detail.ts";
import type { FleetEvent, LiveView } from "../../contract/events.ts";
import type { FleetView } from "../../contract/fleet.ts";
import type { HealthView } from "../../contract/health.ts";
import type { Incident } from "../../contract/incident.ts";
import type { FleetLine, Observation } from "../../contract/observation.ts";
import type { RequestDetail } from "../../contract/request-view.ts";
import type { Wish } from "../../contract/wishes.ts";

/** Every request that someone knows of, and who did not answer. */
export type Gathered = { readonly details: readonly RequestDetail[]; readonly unanswered: string[] };

/** What became of a wish: the action that carries it out, or why there is none. */
export type Wished =
  | { readonly kind: "accepted"; readonly action: string }
  | { readonly kind: "refused"; readonly words: string; readonly tryThis: string };

/** Calls the listener with everything that comes, until what it returns is called. */
export type Source<T> = (listener: (item: T) => void) => () => void;

/** What the routes may read, and the wishes they may leave. They never act themselves. */
export type ApiParts = {
  readonly fleet: () => FleetView;
  readonly health: () => HealthView;
  readonly requests: () => Promise<Gathered>;
  readonly engine: (name: string) => EngineDetail | undefined;
  /** Open and ended ones, the newest first. */
  readonly incidents: () => readonly Incident[];
  readonly action: (id: string) => ActionView | undefined;
  readonly wish: (wish: Wish) => Promise<Wished>;
  /** What has happened after an event, or within that many milliseconds; the oldest first. */
  readonly eventsSince: (since: { readonly id: number } | { readonly withinMs: number }) => readonly FleetEvent[];
  readonly events: Source<FleetEvent>;
  readonly views: Source<LiveView>;
  readonly fleetLine: () => FleetLine;
  readonly observations: Source<Observation>;
  /** How long records of requests are kept, in words. */
  readonly keptWords: string;
};
