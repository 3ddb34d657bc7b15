import type { Log } from "../../lib/log.ts";
import type { Edge } from "../edges/edge.ts";
import type { Edges } from "../edges/edges.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { OldAttempt } from "../exchange/exchange-options.ts";
import type { LegFailure } from "../exchange/root-cause.ts";
import { legsOver } from "./legs-over.ts";
import { type RoomLimits, type Stay, WaitingRoom } from "./waiting-room.ts";

export type QueueOptions = {
  readonly edges: Edges;
  readonly room: RoomLimits;
  /** Opens the engines' control routes. */
  readonly secret: string | undefined;
  /** An edge that answers and takes requests now. */
  readonly edge: () => Edge | undefined;
  readonly log: Pick<Log, "info" | "warn">;
};

export type Again = Pick<Stay, "otherwise" | "patient"> & { readonly why: string };

/** Requests that wait for an engine: those never sent, and those taken back from engines that are lost or held. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #room: WaitingRoom<Exchange>;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#room = new WaitingRoom(options.room);
  }

  get size(): number {
    return this.#room.size;
  }

  hasPlace(bytes: number): boolean {
    return this.#room.hasPlace(bytes);
  }

  /** It has not been sent yet. */
  wait(exchange: Exchange, otherwise: LegFailure): void {
    const { askBytes: bytes, firstTokenLeftMs: limitMs } = exchange;
    this.#room.enter(exchange, { bytes, limitMs, otherwise, patient: false, free: true });
  }

  /** Takes it back from its engines, to be sent again; false: there is no place, and nothing has happened. */
  waitAgain(exchange: Exchange, { why, otherwise, patient }: Again): boolean {
    const { askBytes: bytes, firstTokenLeftMs: limitMs } = exchange;
    if (!this.#room.hasPlace(bytes)) return false;
    const old = exchange.takeBack();
    const stay: Stay = { otherwise, patient, bytes, limitMs, free: false };
    const left = this.#room.enter(exchange, stay);
    if (old !== undefined && left !== undefined) void this.#freeOnceOver(old, { stay, left, why });
    return true;
  }

  /** It has ended. */
  forget(exchange: Exchange): void {
    this.#room.leave(exchange);
  }

  /** Sends what waits and may go, while there is an engine for it. */
  release(): void {
    for (const [exchange, { free }] of this.#room.all()) {
      if (!free) continue;
      const edge = this.#options.edge();
      if (edge === undefined) return;
      this.#room.leave(exchange);
      exchange.send(edge);
    }
  }

  /** The same once the engines have been asked whether they answer. Never rejects. */
  async look(): Promise<void> {
    if (this.#room.size === 0) return;
    await this.#options.edges.reach();
    this.release();
  }

  /** Nobody is going to be admitted later: who may go but finds no engine is told so, unless its engine is awaited. */
  disperse(): void {
    for (const [exchange, { free, patient, otherwise }] of this.#room.all()) {
      if (!free || patient) continue;
      this.#room.leave(exchange);
      exchange.failWith(otherwise);
    }
  }

  // Nothing of the first attempt may be left when the second begins.
  async #freeOnceOver(old: OldAttempt, { stay, left, why }: Freeing): Promise<void> {
    const { secret, log } = this.#options;
    if (!(await legsOver(old, { secret, signal: left, why: `it will be sent again: ${why}` }))) return;
    log.info({ id: old.letter.id, why }, "nothing of it is left on its engines: it may be sent again");
    stay.free = true;
    this.release();
    if (!left.aborted) await this.look();
  }
}

type Freeing = { readonly stay: Stay; readonly left: AbortSignal; readonly why: string };
