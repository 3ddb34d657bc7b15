import type { Registry } from "prom-client";
import type { ActionName, OutcomeName } from "../../contract/action.ts";
import { addressOf } from "../../contract/address.ts";
import { BugError } from "../../contract/errors.ts";
import type { Cause, VerdictName } from "../../contract/verdict.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Host } from "../../lib/host-facts.ts";
import { DoneSeries } from "./done-series.ts";
import { engineSeries } from "./engine-series.ts";
import { fleetSeries } from "./fleet-series.ts";
import { Listener } from "./listener.ts";
import { formatFor, type MetricsFormat, registryFor } from "./metrics-text.ts";
import { ownSeries } from "./own-series.ts";
import { SeenFleet } from "./seen-fleet.ts";
import type { Snapshot } from "./snapshot.ts";

export type ExporterParts = {
  /** host:port; port 0 lets the system pick one. */
  readonly listen: string;
  readonly clock: Clock;
  readonly host: Pick<Host, "latest">;
  readonly pollMs: number;
};

type Format = { readonly registry: Registry; readonly done: DoneSeries };

/** What others scrape. A tick only leaves its snapshot here; the rest is done when somebody reads. */
export class Exporter {
  readonly #fleet: SeenFleet;
  readonly #formats: Readonly<Record<MetricsFormat, Format>>;
  readonly #listener: Listener;

  /** Always comes up: where the port is taken, `warning` says so, and it is tried again. */
  static async start(parts: ExporterParts): Promise<Exporter> {
    const exporter = new Exporter(parts);
    await exporter.#listener.listen();
    return exporter;
  }

  private constructor({ listen, clock, host, pollMs }: ExporterParts) {
    const wanted = addressOf(listen);
    if (wanted === undefined) throw new BugError(`an address such as 127.0.0.1:0 was expected, found ${listen}`);
    this.#fleet = new SeenFleet(clock, Math.max(freshMsMin, freshPolls * pollMs) / 1_000);
    const format = (name: MetricsFormat): Format => {
      const registry = registryFor(name);
      engineSeries(registry, this.#fleet);
      fleetSeries(registry, this.#fleet);
      ownSeries(registry, host);
      return { registry, done: new DoneSeries(registry) };
    };
    this.#formats = { plain: format("plain"), open: format("open") };
    this.#listener = new Listener(wanted, async (accept) => {
      const { registry } = this.#formats[formatFor(accept)];
      return { contentType: registry.contentType, text: await registry.metrics() };
    });
  }

  /** host:port, where it listens. */
  get address(): string | undefined {
    return this.#listener.address;
  }

  /** Why nobody can read the metrics, in words. */
  get warning(): string | undefined {
    return this.#listener.fault;
  }

  update(snapshot: Snapshot): void {
    this.#fleet.update(snapshot);
  }

  countAction({ action, outcome }: { readonly action: ActionName; readonly outcome: OutcomeName }): void {
    for (const { done } of Object.values(this.#formats)) done.action(action, outcome);
  }

  countIncident({ verdict, cause }: { readonly verdict: VerdictName; readonly cause?: Cause | undefined }): void {
    for (const { done } of Object.values(this.#formats)) done.incident(verdict, cause);
  }

  observeHeal(seconds: number): void {
    for (const { done } of Object.values(this.#formats)) done.heal(seconds);
  }

  async close(): Promise<void> {
    await this.#listener.close();
  }
}

// An older look does not say how an engine is.
const freshMsMin = 15_000;
const freshPolls = 5;
