import type { Oldest } from "./sight.ts";

/** Everything that a decision of the watchdog rests on. */
export type Facts = {
  /** unknown: the wish could not be read. */
  readonly wish: "up" | "down" | "maintenance" | "unknown";
  readonly daemon: "serves" | "frozen" | "gone";
  /** False for a while after a start that failed. */
  readonly startIsDue: boolean;
  /** Beyond the hard limit, on an engine that makes no progress. */
  readonly stuck: Oldest | undefined;
  /** Whether `act` allows any of the watchdog's own actions, and the last ones are long enough ago. */
  readonly mayHeal: boolean;
  /** What the daemon says it is doing, in words; only asked for where something is stuck. */
  readonly actionOpen: string | undefined;
};

export type Decision =
  /** Nothing of the fleet is wanted, and nobody is left to watch. */
  | { readonly kind: "end" }
  | { readonly kind: "watch" }
  /** Take the lock from the daemon, heal what is stuck, start a daemon again. */
  | { readonly kind: "take-over"; readonly why: string; readonly heal: Oldest | undefined };

/** Pure: the whole authority of the watchdog. */
export function decide({ wish, daemon, startIsDue, stuck, mayHeal, actionOpen }: Facts): Decision {
  if (wish === "down" && daemon === "gone") return { kind: "end" };
  // Down and maintenance mean hands off, and so does a wish that nobody knows.
  if (wish !== "up") return { kind: "watch" };
  const heal = mayHeal ? stuck : undefined;
  switch (daemon) {
    case "gone":
      if (heal === undefined && !startIsDue) return { kind: "watch" };
      return { kind: "take-over", why: "the daemon is gone", heal };
    case "frozen":
      return { kind: "take-over", why: "the daemon's heartbeat stands still", heal };
    case "serves":
      if (heal === undefined || actionOpen !== undefined) return { kind: "watch" };
      return { kind: "take-over", why: `the daemon does nothing about ${stuckWords(heal)}`, heal };
  }
}

export function stuckWords({ engine, id, ageMs }: Oldest): string {
  const what = id === undefined ? "a request" : `request ${id}`;
  return `${what}, which has been inflight on ${engine} for ${Math.round(ageMs / 1_000)} s`;
}
