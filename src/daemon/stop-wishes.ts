import { once } from "node:events";
import type { StopWish } from "../contract/fleet.ts";

// What Ctrl-C and SIGTERM give open requests; `down --drain` asks for its own.
const drainUsualMs = 10_000;

/** Wishes that the fleet ends, from signals and from the API. A later one may only hurry. */
export class StopWishes {
  readonly #stop = new AbortController();
  readonly #now = new AbortController();
  readonly stop: AbortSignal;
  readonly now: AbortSignal;
  drainMs = drainUsualMs;

  constructor(signals: { readonly stop: AbortSignal; readonly now: AbortSignal }) {
    this.stop = AbortSignal.any([signals.stop, this.#stop.signal]);
    this.now = AbortSignal.any([signals.now, this.#now.signal]);
  }

  add({ drainMs, now }: StopWish): void {
    if (!this.stop.aborted) this.drainMs = drainMs;
    this.#stop.abort();
    if (now) this.#now.abort();
  }

  async stopped(): Promise<void> {
    if (!this.stop.aborted) await once(this.stop, "abort");
  }
}
