import type { Observation, Sample } from "../../contract/observation.ts";
import type { Clock } from "../../lib/clock.ts";
import { Canaries } from "./canaries.ts";
import { withBytes } from "./edge-bytes.ts";
import { Peers } from "./peers.ts";
import type { Target } from "./target.ts";
import { WatchedTarget } from "./watched-target.ts";

export type PollerParts = {
  readonly clock: Clock;
  readonly secret: string;
  readonly pollMs: number;
  readonly probeLimitMs?: number;
};

// A target that takes longer does not answer: that is an observation, too.
const probeLimitMsUsual = 3_000;
// A tick comes a little early as often as a little late; a target that waits for the next one would miss every other.
const earlyShare = 0.2;

/** The daemon's eyes: asks everyone how it is, each at its own pace, and keeps the newest of each. */
export class Poller {
  readonly #parts: PollerParts;
  readonly #watched = new Map<string, WatchedTarget>();
  readonly #peers = new Peers();
  readonly #canaries = new Canaries();

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  /**
   * Takes over who is to be watched and asks those whose time has come. Called each tick, which is the pace: then the
   * next tick finds one answer of each that is well. Nobody waits here; one that hangs is passed over until it has
   * ended.
   */
  watch(targets: readonly Target[]): void {
    this.#forget(targets);
    for (const target of targets) {
      const found = this.#watched.get(target.name);
      if (found === undefined) this.#watched.set(target.name, new WatchedTarget(target, this.#lookParts()));
      else found.follow(target);
    }
    for (const one of this.#watched.values()) {
      if (one.isDue(this.#parts.pollMs * (1 - earlyShare))) void one.ask();
    }
  }

  /** What is new since the last time: of each target and each edge the newest. */
  take(): readonly Observation[] {
    const looks = [...this.#watched.values()].flatMap((one) => one.take() ?? []);
    const samples = looks.map(({ sample }) => sample);
    const edges = looks.flatMap((one) => one.edges).slice(0, edgesMax);
    this.#peers.learn(samples, edges);
    this.#canaries.learn(looks.flatMap((one) => one.canaries));
    return [...samples.map((sample) => this.#told(sample)), ...withBytes(edges, samples)];
  }

  /** The last look before an action, begun now. Undefined where the target is not watched or the signal came first. */
  async probe(name: string, signal: AbortSignal): Promise<Observation | undefined> {
    const watched = this.#watched.get(name);
    if (watched === undefined || signal.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const leave = (): void => resolve(undefined);
    signal.addEventListener("abort", leave, { once: true });
    const found = await Promise.race([watched.askAnew(), promise]);
    signal.removeEventListener("abort", leave);
    return found === undefined ? undefined : this.#told(found.sample);
  }

  close(): void {
    this.#forget([]);
  }

  #forget(targets: readonly Target[]): void {
    const names = new Set(targets.map(({ name }) => name));
    for (const [name, watched] of this.#watched) {
      if (names.has(name)) continue;
      watched.close();
      this.#watched.delete(name);
    }
  }

  #lookParts(): ConstructorParameters<typeof WatchedTarget>[1] {
    const { clock, secret, probeLimitMs } = this.#parts;
    return { clock, secret, limitMs: probeLimitMs ?? probeLimitMsUsual };
  }

  #told(sample: Sample): Sample {
    return this.#peers.named(this.#canaries.leftOut(sample));
  }
}

// A fleet of 64 × 64.
const edgesMax = 4_096;
