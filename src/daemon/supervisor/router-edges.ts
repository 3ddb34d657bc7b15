import { addressText } from "../../contract/address.ts";
import type { EdgesBody } from "../../contract/router-http.ts";
import { putEdges } from "../../drivers/embedded-router/control.ts";
import type { Log } from "../../lib/log.ts";
import { limited } from "../../lib/wait.ts";
import type { FleetPlan } from "./fleet-plan.ts";
import type { ProcessEntry, ProcessTable } from "./process-table.ts";

const putLimitMs = 3_000;

export type Pair = { readonly prefill: string; readonly decode: string };

export type EdgesParts = {
  readonly table: ProcessTable;
  readonly plan: FleetPlan;
  readonly secret: string;
  readonly log: Log;
  readonly epoch: () => number;
  readonly quarantined: () => readonly Pair[];
};

/** What the router was told of engines, and what it has to be told. */
export class RouterEdges {
  readonly #parts: EdgesParts;
  #told = "";
  #closed = false;
  #pushing: Promise<void> | undefined;

  constructor(parts: EdgesParts) {
    this.#parts = parts;
  }

  /** From now on no engine takes new requests: the fleet stops. */
  closeAll(closed: boolean): void {
    this.#closed = closed;
  }

  /** Tells the router, where it does not know yet; a failure is tried again with the next call. */
  sync(signal: AbortSignal): void {
    this.push(signal).catch((error: unknown) => {
      if (!signal.aborted) this.#parts.log.warn({ error: String(error) }, "the router did not take the edges");
    });
  }

  /** The same, for whoever has to know that it did. */
  async push(signal: AbortSignal): Promise<void> {
    while (this.#pushing !== undefined) await this.#pushing.catch(() => undefined);
    this.#pushing = this.#push(signal).finally(() => {
      this.#pushing = undefined;
    });
    await this.#pushing;
  }

  /** The whole table as it should be known. */
  body(): EdgesBody {
    const { table, epoch, quarantined } = this.#parts;
    const engines = table.all().filter(({ spec }) => spec.role !== "router");
    return { epoch: epoch(), engines: engines.flatMap((entry) => this.#line(entry)), quarantined: [...quarantined()] };
  }

  #line({ spec, ready, generation, state }: ProcessEntry): EdgesBody["engines"] {
    if (ready === undefined || spec.role === "router") return [];
    const port = ready.bootstrapPort;
    const bootstrap = port === undefined ? {} : { bootstrap: addressText({ host: this.#host(spec.name), port }) };
    const admits = state === "ready" && !this.#closed;
    return [{ name: spec.name, role: spec.role, url: ready.url, ...bootstrap, generation, admits }];
  }

  #host(name: string): string {
    return this.#parts.plan.host(name);
  }

  async #push(signal: AbortSignal): Promise<void> {
    const { table, secret } = this.#parts;
    const { state, ready, generation } = table.get("router");
    if ((state !== "ready" && state !== "draining") || ready === undefined) return;
    const body = this.body();
    // A router that was started again knows nothing.
    const text = JSON.stringify([generation, body]);
    if (text === this.#told) return;
    await putEdges({ url: ready.url, secret }, body, limited(putLimitMs, signal));
    this.#told = text;
  }
}
