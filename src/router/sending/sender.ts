import type { Log } from "../../lib/log.ts";
import { Refusal } from "../../lib/refusal.ts";
import { type Edge, enginesOf } from "../edges/edge.ts";
import type { Edges, PickRules } from "../edges/edges.ts";
import type { EngineSpec } from "../edges/engine.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { restarted } from "../exchange/failure-words.ts";
import { type LegFailure, ownFailure } from "../exchange/root-cause.ts";
import { Hold, type HoldTerms } from "./hold.ts";
import { Queue } from "./queue.ts";
import type { RoomLimits } from "./waiting-room.ts";

export type SenderOptions = {
  readonly edges: Edges;
  readonly room: RoomLimits;
  /** What happens to a request that has sent no byte when its engine is lost or restarted. */
  readonly replay: "unsent" | "never";
  /** Opens the engines' control routes. */
  readonly secret: string | undefined;
  /** All that is open now. */
  readonly open: () => readonly Exchange[];
  readonly log: Pick<Log, "info" | "warn">;
};

/** Where a new request goes. */
export type Place =
  | { readonly kind: "edge"; readonly edge: Edge }
  | { readonly kind: "wait" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Decides which request goes where, which waits while engines are started again, and which is sent again. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #queue: Queue;
  readonly #hold = new Hold(() => this.#lapsed());
  #epoch = 0;
  // By a daemon, which starts engines again and then says so.
  #managed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#queue = new Queue({ ...options, edge: () => this.#edge({ reachable: true }) });
  }

  get epoch(): number {
    return this.#epoch;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get hold(): { readonly leftMs: number; readonly held: number; readonly why: string } | undefined {
    const now = this.#hold.now;
    return now && { leftMs: now.leftMs, held: this.#queue.size, why: now.why };
  }

  /** For a new request of so many bytes. */
  place(bytes: number): Place {
    const edge = this.#edge();
    if (edge !== undefined) return { kind: "edge", edge };
    const held = this.#hold.now;
    if (held === undefined)
      return { kind: "refused", refusal: new Refusal("starting", "No engine takes requests now.") };
    if (this.#queue.hasPlace(bytes)) return { kind: "wait" };
    const words = `${this.#queue.size} requests wait already, which is all that may: ${held.why}`;
    return { kind: "refused", refusal: new Refusal("held", words) };
  }

  /** It has not been sent yet, and waits for the hold to end. */
  wait(exchange: Exchange): void {
    const words = `No engine took it in time: ${this.#hold.now?.why ?? "none is ready"}`;
    const otherwise = later({ code: "held", words });
    this.#queue.wait(exchange, otherwise);
  }

  /** It has ended. */
  forget(exchange: Exchange): void {
    this.#queue.forget(exchange);
  }

  /** An engine went away with it. What its client is told, or undefined: it waits to be sent again. */
  lost(exchange: Exchange, failed: LegFailure): LegFailure | undefined {
    if (!this.#managed || failed.lost === undefined || exchange.canary) return failed;
    const { code, words } = failed.failure;
    if (exchange.begun) return ownFailure(restarted(`${words} What it had begun to answer cannot be continued.`));
    if (!this.#mayGoAgain(exchange)) return failed;
    const { engine, refused } = failed.lost;
    const crashed = !refused && !engine.gone.aborted;
    if (crashed && (engine.crowd ?? 0) <= 1)
      return ownFailure({ code, words: `${words} This request was the only one there, and is not sent again.` });
    const waits = this.#queue.waitAgain(exchange, { otherwise: later(failed.failure), patient: true, why: words });
    return waits ? undefined : failed;
  }

  /** The whole table. Throws a Refusal when it is older than what is known. */
  putEdges(epoch: number, engines: readonly EngineSpec[], quarantined: readonly Quarantined[]): void {
    this.#advance(epoch);
    this.#managed = true;
    this.#options.edges.put(engines, quarantined);
    this.#queue.release();
    void this.#queue.look();
  }

  /** Begins or renews a hold; what is open on its engines is taken back, or ends. */
  holdBack(epoch: number, terms: HoldTerms, subjects: readonly string[]): void {
    this.#advance(epoch);
    if (this.#hold.now === undefined) this.#options.log.info({ epoch, ...terms }, "hold");
    this.#hold.begin(terms);
    for (const exchange of this.#options.open()) this.#holdOne(exchange, terms, subjects);
    this.#queue.release();
  }

  /** The hold is over. */
  admit(epoch: number): void {
    this.#advance(epoch);
    this.#options.log.info({ epoch, held: this.#queue.size }, "admit");
    this.#hold.end();
    this.#queue.release();
    void this.#settle();
  }

  close(): void {
    this.#hold.end();
  }

  #advance(epoch: number): void {
    if (epoch < this.#epoch) {
      const words = `Epoch ${epoch} is over: this router is in epoch ${this.#epoch}.`;
      throw new Refusal("stale-epoch", words, "epoch");
    }
    this.#epoch = epoch;
  }

  #lapsed(): void {
    this.#options.log.warn({ held: this.#queue.size }, "the lease of the hold lapsed");
    void this.#settle();
  }

  // Whoever is held while others serve goes to those; engines of the hold are not tried.
  #edge(rules: PickRules = {}): Edge | undefined {
    const held = this.#hold.now;
    if (held === undefined) return this.#options.edges.pick(rules);
    if (held.engines.length === 0) return undefined;
    return this.#options.edges.pick({ without: held.engines, reachable: true });
  }

  #holdOne(exchange: Exchange, { engines, why }: HoldTerms, subjects: readonly string[]): void {
    if (exchange.canary) return;
    if (subjects.some((subject) => exchange.names.has(subject))) {
      exchange.fail(restarted(why));
      return;
    }
    const held = exchange.sent === undefined ? [] : enginesOf(exchange.sent.edge).map(({ name }) => name);
    const first = held.find((name) => engines.includes(name));
    if (first === undefined) return;
    const otherwise = later(restarted(`Engine ${first} is being restarted: ${why}`));
    const again = !exchange.begun && this.#mayGoAgain(exchange);
    if (!again || !this.#queue.waitAgain(exchange, { otherwise, patient: false, why })) exchange.failWith(otherwise);
  }

  #mayGoAgain({ attempts, firstTokenLeftMs }: Exchange): boolean {
    return this.#options.replay === "unsent" && attempts === 1 && firstTokenLeftMs > 0;
  }

  // The hold has ended.
  async #settle(): Promise<void> {
    await this.#queue.look();
    if (this.#hold.now === undefined) this.#queue.disperse();
  }
}

type Quarantined = { readonly prefill: string; readonly decode: string };

function later(failure: LegFailure["failure"]): LegFailure {
  return ownFailure(failure, { retryAfter: "1" });
}
