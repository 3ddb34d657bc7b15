import type { FleetView, ProcessView } from "../../contract/fleet.ts";
import type { Sample } from "../../contract/observation.ts";
import type { Clock } from "../../lib/clock.ts";
import { Grown } from "./grown.ts";
import type { Snapshot } from "./snapshot.ts";

/** One engine or the router with its latest sample, if that is still how it is. */
export type Seen = {
  readonly view: ProcessView;
  readonly sample: Sample | undefined;
  readonly ageS: number | undefined;
};

export const engineCounters = ["bootstrap_failed_total", "transfer_failed_total"] as const;

/** What the latest tick knew, as the series ask for it. */
export class SeenFleet {
  readonly #clock: Clock;
  readonly #freshS: number;
  readonly #grown = new Grown();
  #latest: Snapshot | undefined;

  constructor(clock: Clock, freshS: number) {
    this.#clock = clock;
    this.#freshS = freshS;
  }

  /** Each tick: as little as possible, everything else waits until somebody reads. */
  update(snapshot: Snapshot): void {
    this.#latest = snapshot;
    const { fleet, samples, edges } = snapshot;
    for (const sample of samples)
      for (const name of engineCounters) this.#grown.see(`${name} ${sample.id}`, sample[name], sample.generation);
    for (const { prefill, decode, bytes_total } of edges) this.#grown.see(edgeKey(prefill, decode), bytes_total);
    this.#grown.keep(new Set(keysOf(fleet)));
  }

  get latest(): Snapshot | undefined {
    return this.#latest;
  }

  /** Milliseconds since the latest tick. */
  get tickAgeMs(): number {
    return this.#latest === undefined ? 0 : Math.max(0, this.#clock.nowMs() - this.#latest.nowMs);
  }

  engines(): readonly Seen[] {
    return (this.#latest?.fleet.engines ?? []).map((view) => this.#seen(view));
  }

  all(): readonly Seen[] {
    const router = this.#latest?.fleet.router;
    return router === undefined ? [] : [...this.engines(), this.#seen(router)];
  }

  counted(name: (typeof engineCounters)[number], engine: string): number | undefined {
    return this.#grown.total(`${name} ${engine}`);
  }

  bytesOver({ prefill, decode }: { readonly prefill: string; readonly decode: string }): number | undefined {
    return this.#grown.total(edgeKey(prefill, decode));
  }

  #seen(view: ProcessView): Seen {
    const sample = this.#latest?.samples.find(({ id }) => id === view.name);
    if (sample === undefined) return { view, sample, ageS: undefined };
    const ageS = Math.max(0, this.#clock.nowMs() / 1_000 - sample.t);
    const isOld = ageS > this.#freshS || (sample.generation !== undefined && sample.generation !== view.generation);
    return { view, sample: isOld ? undefined : sample, ageS };
  }
}

function keysOf({ engines, edges }: FleetView): readonly string[] {
  return [
    ...engines.flatMap(({ name }) => engineCounters.map((counter) => `${counter} ${name}`)),
    ...edges.map(({ prefill, decode }) => edgeKey(prefill, decode)),
  ];
}

function edgeKey(prefill: string, decode: string): string {
  return `edge ${prefill}:${decode}`;
}
