import type { Clock } from "../lib/clock.ts";

// Between two ticks, however many wishes there are.
const restMs = 20;

/** When the next tick is due: at the policy's pace, or at once where somebody has a wish. */
export class Pace {
  readonly #pollMs: number;
  readonly #clock: Clock;
  #dueMs: number;
  #timer: NodeJS.Timeout | undefined;
  #resolve: (() => void) | undefined;
  #isWoken = false;

  constructor(pollMs: number, clock: Clock) {
    this.#pollMs = pollMs;
    this.#clock = clock;
    this.#dueMs = clock.nowMs();
  }

  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    if (this.#resolve !== undefined) this.#wait(restMs);
  }

  /** Waits until then. Ticks that were missed are not made up for; one that came early moves those after it. */
  async next(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    this.#dueMs = Math.max(this.#dueMs + this.#pollMs, nowMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolve = resolve;
    this.#wait(this.#isWoken ? restMs : this.#dueMs - nowMs);
    await promise;
    if (this.#isWoken) this.#dueMs = this.#clock.nowMs();
    this.#isWoken = false;
    this.#resolve = undefined;
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#resolve?.(), ms);
  }
}
