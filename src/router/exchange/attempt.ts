import type { IncomingHttpHeaders } from "node:http";
import type { Failure } from "../../contract/failure-status.ts";
import { headerNames } from "../../contract/openai.ts";
import { type Edge, enginesOf } from "../edges/edge.ts";
import { BoundedBody } from "./bounded-body.ts";
import { engineLost } from "./failure-words.ts";
import { Leg, type LegRequest, type Lost } from "./leg.ts";
import { PrefillLeg } from "./prefill-leg.ts";
import { engineFailure, type LegFailure, ownFailure, rootCause } from "./root-cause.ts";

export type AttemptOptions = {
  readonly edge: Edge;
  readonly request: LegRequest;
  /** Whether it is to be seen in the counts of its edge. */
  readonly counted: boolean;
  readonly limits: { readonly echoMs: number; readonly ackMs: number };
};

/** What an attempt tells. After `ended` or `failed` only `ackLost` may still come. */
export type AttemptEvents = {
  /** Decode has everything: no failure of prefill counts any more. */
  committed(): void;
  /** Of the answer, once committed. */
  data(bytes: Buffer): void;
  /** The answer is whole; a failure that decode told at its end is in it. */
  ended(failure: Failure | undefined): void;
  failed(failed: LegFailure): void;
  /** Prefill failed, or never ended, although decode had everything. */
  ackLost(failure: Failure): void;
};

/** One sending of a request to the two engines of an edge. */
export class Attempt {
  readonly edge: Edge;
  readonly #options: AttemptOptions;
  readonly #events: AttemptEvents;
  readonly #prefill: PrefillLeg | undefined;
  readonly #decode: Leg;
  readonly #refusal = new BoundedBody(refusalBytesMax);
  #echo: NodeJS.Timeout | undefined;
  #prefillFailed: LegFailure | undefined;
  #decodeFailed: LegFailure | undefined;
  #head: { readonly status: number; readonly headers: IncomingHttpHeaders } = { status: 0, headers: {} };
  #committed = false;
  #over = false;

  constructor(options: AttemptOptions, events: AttemptEvents) {
    const { edge, request, limits } = options;
    this.edge = edge;
    this.#options = options;
    this.#events = events;
    this.#prefill =
      edge.prefill &&
      new PrefillLeg({ engine: edge.prefill, request, weight: this.#weight, ackMs: limits.ackMs }, (failed) =>
        this.#failPrefill(failed),
      );
    this.#decode = new Leg(edge.decode.pool, request, {
      head: (status, headers) => this.#begin(status, headers),
      data: (bytes) => this.#data(bytes),
      end: (trailers) => this.#finish(trailers),
      error: (lost) => this.#loseDecode(lost),
    });
  }

  get committed(): boolean {
    return this.#committed;
  }

  /** Sends both legs at once. */
  start(): void {
    const { tally, decode } = this.edge;
    for (const engine of enginesOf(this.edge)) engine.picked += this.#weight;
    tally.attemptsTotal += this.#weight;
    tally.open += this.#weight;
    decode.open += this.#weight;
    this.#prefill?.start();
    if (!this.#over) this.#decode.start();
  }

  /** Decode's answer is read no further, until resume. */
  pause(): void {
    this.#decode.pause();
  }

  resume(): void {
    this.#decode.resume();
  }

  /** Ends both legs; where it was answered, prefill may still end by itself. Nothing more is told but a lost ack. */
  close(answered: boolean): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#echo);
    this.#decode.cancel();
    if (answered) this.#prefill?.awaitEnd();
    else this.#prefill?.cancel();
    const { tally, decode } = this.edge;
    tally.open -= this.#weight;
    decode.open -= this.#weight;
    if (answered) tally.okTotal += this.#weight;
  }

  #begin(status: number, headers: IncomingHttpHeaders): void {
    this.#head = { status, headers };
    this.edge.decode.answered();
    if (status !== 200) return;
    this.#committed = true;
    clearTimeout(this.#echo);
    if (this.#prefillFailed !== undefined) this.#events.ackLost(this.#prefillFailed.failure);
    this.#events.committed();
  }

  #data(bytes: Buffer): void {
    if (this.#committed) this.#events.data(bytes);
    else if (!this.#refusal.add(bytes)) {
      const words = `answered an error of more than ${refusalBytesMax} bytes`;
      this.#failDecode(ownFailure(engineLost(this.edge.decode.name, words)));
    }
  }

  // A failure after the head comes as a trailer; what it says is in the body that has been passed on.
  #finish(trailers: IncomingHttpHeaders): void {
    const { name } = this.edge.decode;
    if (!this.#committed) {
      this.#failDecode(engineFailure(name, { ...this.#head, body: this.#refusal.whole().toString("utf8") }));
      return;
    }
    const code = trailers[headerNames.failure];
    this.#events.ended(typeof code === "string" ? { code, words: `Engine ${name} failed it: ${code}.` } : undefined);
  }

  #failPrefill(failed: LegFailure): void {
    if (this.#committed) {
      this.#events.ackLost(failed.failure);
      return;
    }
    this.#prefillFailed = failed;
    this.#consider(failed, this.#decodeFailed);
  }

  #loseDecode({ words, refused }: Lost): void {
    const engine = this.edge.decode;
    engine.lost(words);
    this.#failDecode(ownFailure(engineLost(engine.name, words), { lost: { engine, refused } }));
  }

  #failDecode(failed: LegFailure): void {
    if (this.#committed) {
      this.#fail(failed);
      return;
    }
    this.#decodeFailed = failed;
    this.#consider(failed, this.#prefillFailed);
  }

  // When a leg says only that the other has failed, the other's words are worth a short wait.
  #consider(failed: LegFailure, earlier: LegFailure | undefined): void {
    if (earlier !== undefined) this.#fail(rootCause(earlier, failed));
    else if (failed.echo !== true || this.#prefill === undefined) this.#fail(failed);
    else this.#echo = setTimeout(() => this.#fail(failed), this.#options.limits.echoMs);
  }

  #fail(failed: LegFailure): void {
    if (!this.#over) this.#events.failed(failed);
  }

  get #weight(): 0 | 1 {
    return this.#options.counted ? 1 : 0;
  }
}

const refusalBytesMax = 1024 * 1024;
