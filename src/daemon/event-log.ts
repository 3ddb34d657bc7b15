import type { FleetEvent } from "../contract/events.ts";

/** Something that happened, before it has its place in the order of all. */
export type Happening = Omit<FleetEvent, "id" | "at" | "atMs">;

// What a reader that comes back may have missed; the journal holds more.
const keptMax = 5_000;

/** The latest events, numbered, and whoever follows them. */
export class EventLog {
  #events: readonly FleetEvent[];
  #last: number;

  constructor({ events, last }: { readonly events: readonly FleetEvent[]; readonly last: number }) {
    this.#events = events;
    this.#last = Math.max(last, events.at(-1)?.id ?? 0);
  }

  add(happenings: readonly Happening[], { nowMs, wallMs }: { nowMs: number; wallMs: number }): readonly FleetEvent[] {
    const at = new Date(wallMs).toISOString();
    const events = happenings.map((one, index) => ({ id: this.#last + index + 1, at, atMs: nowMs, ...one }));
    if (events.length === 0) return events;
    this.#last += events.length;
    this.#events = [...this.#events, ...events].slice(-keptMax);
    return events;
  }

  /** When the latest one was; long ago where there is none. ISO 8601. */
  get latestAt(): string {
    return this.#events.at(-1)?.at ?? "";
  }

  /** Those after an event, or of that many milliseconds; the oldest first. */
  since(since: { readonly id: number } | { readonly withinMs: number }, wallMs: number): readonly FleetEvent[] {
    if ("id" in since) return this.#events.filter(({ id }) => id > since.id);
    // By wall time: events of before a restart of the machine count on another clock.
    return this.#events.filter(({ at }) => wallMs - Date.parse(at) <= since.withinMs);
  }
}
