import type { LegFailure } from "../exchange/root-cause.ts";

/** Who waits: it is told for how long at most, and that nothing came of it. */
export type Waiting = { waits(limitMs: number): void; failWith(failed: LegFailure): void };

export type Stay = {
  /** Of its body, which waits with it. */
  readonly bytes: number;
  readonly limitMs: number;
  /** What it is told when its time is over. */
  readonly otherwise: LegFailure;
  /** A hold that ends with no engine for it is not the end for it. */
  readonly patient: boolean;
  /** Whether it may go: nothing of it is left on any engine. */
  free: boolean;
};

export type RoomLimits = { readonly waitersMax: number; readonly bytesMax: number; readonly waitMs: number };

type Seat = { readonly stay: Stay; readonly timer: NodeJS.Timeout; readonly left: AbortController };

/** Requests that wait for engines: so many, of so many bytes together, none longer than so long. In order of arrival. */
export class WaitingRoom<T extends Waiting> {
  readonly #limits: RoomLimits;
  readonly #seats = new Map<T, Seat>();
  #bytes = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#seats.size;
  }

  hasPlace(bytes: number): boolean {
    return this.#seats.size < this.#limits.waitersMax && this.#bytes + bytes <= this.#limits.bytesMax;
  }

  /** The signal aborts once it has left, for whatever reason; undefined: there is no place. */
  enter(one: T, stay: Stay): AbortSignal | undefined {
    if (!this.hasPlace(stay.bytes)) return undefined;
    const limitMs = Math.max(0, Math.min(stay.limitMs, this.#limits.waitMs));
    const timer = setTimeout(() => {
      this.leave(one);
      one.failWith(stay.otherwise);
    }, limitMs);
    const left = new AbortController();
    this.#seats.set(one, { stay, timer, left });
    one.waits(limitMs);
    this.#bytes += stay.bytes;
    return left.signal;
  }

  leave(one: T): void {
    const seat = this.#seats.get(one);
    if (seat === undefined) return;
    clearTimeout(seat.timer);
    this.#seats.delete(one);
    this.#bytes -= seat.stay.bytes;
    seat.left.abort();
  }

  all(): readonly (readonly [T, Stay])[] {
    return [...this.#seats].map(([one, { stay }]) => [one, stay]);
  }
}
