/** Fires when nothing has moved for a time. Moving costs a read of the clock, not a new timer. */
export class StallTimer {
  readonly #onStall: () => void;
  #limitMs = 0;
  #movedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onStall: () => void) {
    this.#onStall = onStall;
  }

  /** From now on, with another limit. */
  start(limitMs: number): void {
    this.stop();
    this.#limitMs = limitMs;
    this.moved();
    this.#wait(limitMs);
  }

  moved(): void {
    this.#movedMs = performance.now();
  }

  /** Until it fires, if nothing moves. */
  get leftMs(): number {
    return Math.max(0, this.#movedMs + this.#limitMs - performance.now());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      const leftMs = this.#movedMs + this.#limitMs - performance.now();
      if (leftMs > 0) this.#wait(Math.ceil(leftMs));
      else this.#onStall();
    }, ms);
  }
}
