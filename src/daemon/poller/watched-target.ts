import type { Sample } from "../../contract/observation.ts";
import { type Look, type LookParts, look } from "./look.ts";
import type { Target } from "./target.ts";

/** One target and the newest that is known of it. At most one question to it is on its way. */
export class WatchedTarget {
  readonly #parts: LookParts;
  readonly #closing = new AbortController();
  #target: Target;
  #beganMs = Number.NEGATIVE_INFINITY;
  #running: Promise<Look | undefined> | undefined;
  #fresh: Look | undefined;
  #bytes: { readonly generation: number | undefined; readonly total: number } | undefined;

  constructor(target: Target, parts: LookParts) {
    this.#target = target;
    this.#parts = parts;
  }

  /** The next question goes there. */
  follow(target: Target): void {
    this.#target = target;
  }

  /** Whether it was last asked at least so long ago, and is not being asked. */
  isDue(paceMs: number): boolean {
    return this.#running === undefined && this.#parts.clock.nowMs() - this.#beganMs >= paceMs;
  }

  /** Asks, unless it is being asked: then that answer is everyone's. */
  async ask(): Promise<Look | undefined> {
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  /** Asks anew, so that nothing in the answer is older than the question. */
  async askAnew(): Promise<Look | undefined> {
    const running = await this.#running;
    // It has been silent until this moment: to wait once more tells nothing new.
    return running?.sample.health === "timeout" ? running : await this.ask();
  }

  /** What has come since the last time, if anything. */
  take(): Look | undefined {
    const fresh = this.#fresh;
    this.#fresh = undefined;
    return fresh;
  }

  close(): void {
    this.#closing.abort();
  }

  async #look(): Promise<Look | undefined> {
    this.#beganMs = this.#parts.clock.nowMs();
    const asked = this.#target;
    const found = await look(asked, this.#parts, this.#closing.signal);
    // An answer of what it was before says nothing of what it is now.
    if (found === undefined || this.#closing.signal.aborted || asked.generation !== this.#target.generation)
      return undefined;
    this.#fresh = { ...found, sample: this.#steady(found.sample) };
    return this.#fresh;
  }

  /** A transfer that ends between the two questions of a probe is in neither answer: the sum shall not fall for it. */
  #steady(sample: Sample): Sample {
    const { generation, transfer_bytes_total: seen } = sample;
    if (seen === undefined) return sample;
    const total = this.#bytes?.generation === generation ? Math.max(seen, this.#bytes?.total ?? 0) : seen;
    this.#bytes = { generation, total };
    return { ...sample, transfer_bytes_total: total };
  }
}
