import type { Clock } from "../lib/clock.ts";

/** When the next tick is due: at the policy's pace, or at once where somebody has a wish. */
export class Pace {
  readonly #pollMs: number;
  readonly #clock: Clock;
  #dueMs: number;
  #wake: (() => void) | undefined;
  #woken = false;

  constructor(pollMs: number, clock: Clock) {
    this.#pollMs = pollMs;
    this.#clock = clock;
    this.#dueMs = clock.nowMs();
  }

  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Waits until then. Ticks that were missed are not made up for. */
  async next(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    this.#dueMs = Math.max(this.#dueMs + this.#pollMs, nowMs);
    if (!this.#woken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, this.#dueMs - nowMs);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
      // A tick that came early moves those after it.
      if (this.#woken) this.#dueMs = this.#clock.nowMs();
    }
    this.#woken = false;
  }
}
