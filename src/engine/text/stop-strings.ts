export type StopScan = { readonly text: string; readonly stopped: boolean };

/**
 * Finds stop strings in text that comes in pieces. What might be the beginning of one is held back, so that no
 * part of a stop string is ever sent.
 */
export class StopStrings {
  readonly #stops: readonly string[];
  #held = "";

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** The text that is safe to send. Once it stopped, nothing may follow. */
  push(piece: string): StopScan {
    if (this.#stops.length === 0) return { text: piece, stopped: false };
    const pending = this.#held + piece;
    const end = this.#firstStop(pending);
    if (end !== undefined) {
      this.#held = "";
      return { text: pending.slice(0, end), stopped: true };
    }
    const safe = pending.length - this.#heldLength(pending);
    this.#held = pending.slice(safe);
    return { text: pending.slice(0, safe), stopped: false };
  }

  /** What was held back, once no more text can come. */
  flush(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  #firstStop(pending: string): number | undefined {
    let first: number | undefined;
    for (const stop of this.#stops) {
      const at = pending.indexOf(stop);
      if (at >= 0 && (first === undefined || at < first)) first = at;
    }
    return first;
  }

  /** The longest end of `pending` with which a stop string begins. */
  #heldLength(pending: string): number {
    let longest = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, pending.length); length > longest; length -= 1) {
        if (pending.endsWith(stop.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
