import type { Failure } from "../contract/failure-status.ts";
import type { RouterRequest, RouterState } from "../contract/router-http.ts";
import type { Clock } from "../lib/clock.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { Outcome } from "./exchange/exchange-options.ts";

export type RecordStart = Pick<RouterRequest, "id" | "clientId" | "path" | "stream">;

type Live = { record: RouterRequest; readonly arrivedMs: number };

/** What the router has open and what it did last. */
export class RouterRecords {
  readonly #clock: Clock;
  readonly #recentMax: number;
  readonly #live = new Map<Exchange, Live>();
  readonly #recent = new Set<RouterRequest>();
  readonly #totals = { requests: 0, answered: 0, failed: 0, clientGone: 0, ackLost: 0 };
  #sentAgainTotal = 0;

  constructor(clock: Clock, recentMax: number) {
    this.#clock = clock;
    this.#recentMax = recentMax;
  }

  /** With canaries: they are only left out of what is summed up. */
  get open(): number {
    return this.#live.size;
  }

  get totals(): RouterState["totals"] {
    return { ...this.#totals };
  }

  get sentAgainTotal(): number {
    return this.#sentAgainTotal;
  }

  exchanges(): readonly Exchange[] {
    return [...this.#live.keys()];
  }

  add(exchange: Exchange, start: RecordStart): void {
    if (!exchange.canary) this.#totals.requests += 1;
    const arrived = { arrivedUnixMs: this.#clock.wallMs(), ageMs: 0, bytes: 0 };
    const canary = exchange.canary ? { canary: true } : {};
    const record: RouterRequest = { ...start, ...arrived, ...canary, attempt: 1, committed: false, outcome: "open" };
    this.#live.set(exchange, { record, arrivedMs: this.#clock.nowMs() });
  }

  /** It is on engines now. */
  sent(exchange: Exchange): void {
    const live = this.#live.get(exchange);
    if (live === undefined || exchange.sent === undefined) return;
    const { edge, letter } = exchange.sent;
    const { id: before, earlier = [], room: _old, firstByteUnixMs: _byte, ...kept } = live.record;
    live.record = {
      ...kept,
      id: letter.id,
      ...(before === letter.id ? {} : { earlier: [...earlier, before] }),
      ...(letter.room === undefined ? {} : { room: letter.room }),
      prefill: (edge.prefill ?? edge.decode).name,
      decode: edge.decode.name,
      attempt: exchange.attempts,
      committed: false,
    };
    if (exchange.attempts > 1) this.#sentAgainTotal += 1;
  }

  committed(exchange: Exchange): void {
    const live = this.#live.get(exchange);
    if (live === undefined) return;
    live.record = { ...live.record, committed: true, firstByteUnixMs: this.#clock.wallMs() };
  }

  ended(exchange: Exchange, outcome: Outcome, failure: Failure | undefined): RouterRequest | undefined {
    const live = this.#live.get(exchange);
    if (live === undefined) return undefined;
    this.#live.delete(exchange);
    const { held: _held, deadline: _deadline, ...shown } = this.#shown(exchange, live);
    const end = { outcome, endedUnixMs: this.#clock.wallMs(), ...(failure === undefined ? {} : { failure }) };
    const record = { ...shown, ...end };
    this.#recent.add(record);
    if (!exchange.canary) this.#totals[outcome === "client-gone" ? "clientGone" : outcome] += 1;
    const [oldest] = this.#recent;
    if (this.#recent.size > this.#recentMax && oldest !== undefined) this.#recent.delete(oldest);
    return record;
  }

  ackLost(): void {
    this.#totals.ackLost += 1;
  }

  /** Open ones first, then the latest. */
  all(): readonly RouterRequest[] {
    const live = [...this.#live].map(([exchange, one]) => this.#shown(exchange, one));
    return [...live.reverse(), ...[...this.#recent].reverse()];
  }

  /** By the id it has, or one it had before it was sent again. */
  find(id: string): RouterRequest | undefined {
    return this.all().find((record) => record.id === id || record.earlier?.includes(id));
  }

  /** Ends an open request; false when it is not open. */
  fail(id: string, failure: Failure): boolean {
    const exchange = this.exchanges().find(({ names }) => names.has(id));
    exchange?.fail(failure);
    return exchange !== undefined;
  }

  failAll(failure: Failure): void {
    for (const exchange of this.exchanges()) exchange.fail(failure);
  }

  #shown(exchange: Exchange, { record, arrivedMs }: Live): RouterRequest {
    const { deadline, bytes } = exchange;
    return {
      ...record,
      ageMs: this.#clock.nowMs() - arrivedMs,
      bytes,
      ...(exchange.sent === undefined ? { held: true } : {}),
      ...(deadline === undefined ? {} : { deadline }),
    };
  }
}
