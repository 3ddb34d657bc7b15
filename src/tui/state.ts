import type { LiveView } from "../contract/events.ts";
import type { Clock } from "../lib/clock.ts";
import type { Command } from "./keys.ts";
import type { Meter } from "./rates.ts";
import { type SortKey, sortKeys } from "./sorting.ts";

/** Everything that the screen shows. Only `reduce` makes a new one. */
export type TopState = {
  readonly shown: Arrived;
  /** The newest that has come while the picture is held. */
  readonly held?: Arrived;
  /** The longest time between two of the last views: how often the daemon looks. */
  readonly paceMs: number;
  /** Of each engine. */
  readonly meters: ReadonlyMap<string, Meter>;
  readonly paused: boolean;
  readonly help: boolean;
  readonly sort: SortKey;
  /** The request that the cursor stands on: its place, and its id once a person has moved there. */
  readonly cursor: { readonly at: number; readonly id?: string };
  readonly now: Moment;
};

export type Moment = {
  /** Monotonic. */
  readonly nowMs: number;
  /** For the age of what has a date. */
  readonly wallMs: number;
};

export type Arrived = { readonly view: LiveView; readonly atMs: number };

/** All that can happen to it. */
export type TopEvent =
  | { readonly kind: "view"; readonly view: LiveView; readonly now: Moment }
  | { readonly kind: "clock"; readonly now: Moment }
  | { readonly kind: "command"; readonly command: Command };

// Two ticks of the slowest usual pace: less than that is no silence.
const silenceMsMin = 3_000;

/** How long the daemon has said nothing, where that is longer than its pace explains; else undefined. */
export function silenceMs({ shown, held, paceMs, now }: TopState): number | undefined {
  const silentMs = now.nowMs - (held ?? shown).atMs;
  return silentMs > Math.max(silenceMsMin, 3 * paceMs) ? silentMs : undefined;
}

export function momentOf(clock: Clock): Moment {
  return { nowMs: clock.nowMs(), wallMs: clock.wallMs() };
}

/** The screen as it begins, with the first view of the fleet. */
export function firstState(view: LiveView, now: Moment, meters: TopState["meters"] = new Map()): TopState {
  return {
    shown: { view, atMs: now.nowMs },
    paceMs: 0,
    meters,
    paused: false,
    help: false,
    sort: sortKeys[0],
    cursor: { at: 0 },
    now,
  };
}
