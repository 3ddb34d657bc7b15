import type { Failure } from "../contract/failure-status.ts";
import type { RouterRequest, RouterState } from "../contract/router-http.ts";
import type { Clock } from "../lib/clock.ts";
import type { Exchange, Outcome } from "./exchange/exchange.ts";

export type RecordStart = Pick<RouterRequest, "id" | "clientId" | "room" | "prefill" | "decode" | "path" | "stream">;

type Live = { record: RouterRequest; readonly arrivedMs: number; readonly exchange: Exchange };

/** What the router has open and what it did last. */
export class RouterRecords {
  readonly #clock: Clock;
  readonly #recentMax: number;
  readonly #live = new Map<string, Live>();
  readonly #recent = new Map<string, RouterRequest>();
  readonly #totals = { requests: 0, answered: 0, failed: 0, clientGone: 0, ackLost: 0 };

  constructor(clock: Clock, recentMax: number) {
    this.#clock = clock;
    this.#recentMax = recentMax;
  }

  get open(): number {
    return this.#live.size;
  }

  get totals(): RouterState["totals"] {
    return { ...this.#totals };
  }

  add(start: RecordStart, exchange: Exchange): void {
    this.#totals.requests += 1;
    const arrived = { arrivedUnixMs: this.#clock.wallMs(), ageMs: 0, bytes: 0 };
    const record: RouterRequest = { ...start, ...arrived, attempt: 1, committed: false, outcome: "open" };
    this.#live.set(start.id, { record, arrivedMs: this.#clock.nowMs(), exchange });
  }

  committed(id: string): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    live.record = { ...live.record, committed: true, firstByteUnixMs: this.#clock.wallMs() };
  }

  ended(id: string, outcome: Outcome, failure: Failure | undefined): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    this.#live.delete(id);
    const end = { outcome, endedUnixMs: this.#clock.wallMs(), ...(failure === undefined ? {} : { failure }) };
    this.#recent.set(id, { ...this.#shown(live), ...end });
    this.#totals[outcome === "client-gone" ? "clientGone" : outcome] += 1;
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > this.#recentMax && oldest !== undefined) this.#recent.delete(oldest);
  }

  ackLost(): void {
    this.#totals.ackLost += 1;
  }

  /** Open ones first, then the latest. */
  all(): readonly RouterRequest[] {
    const live = [...this.#live.values()].map((one) => this.#shown(one));
    return [...live.reverse(), ...[...this.#recent.values()].reverse()];
  }

  find(id: string): RouterRequest | undefined {
    const live = this.#live.get(id);
    return live === undefined ? this.#recent.get(id) : this.#shown(live);
  }

  /** Ends an open request; false when it is not open. */
  fail(id: string, failure: Failure): boolean {
    const live = this.#live.get(id);
    live?.exchange.fail(failure);
    return live !== undefined;
  }

  failAll(failure: Failure): void {
    for (const { exchange } of [...this.#live.values()]) exchange.fail(failure);
  }

  #shown({ record, arrivedMs, exchange }: Live): RouterRequest {
    return { ...record, ageMs: this.#clock.nowMs() - arrivedMs, bytes: exchange.bytes };
  }
}
