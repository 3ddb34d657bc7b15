import { type Failure, statusOf } from "../../contract/failure-status.ts";
import type { RouterRequest } from "../../contract/router-http.ts";
import type { Edge } from "../edges/edge.ts";
import { Attempt } from "./attempt.ts";
import { BoundedBody } from "./bounded-body.ts";
import type { ExchangeOptions, OldAttempt, Outcome } from "./exchange-options.ts";
import { clientStalled, engineLost, noFirstToken, tokenGap } from "./failure-words.ts";
import { type LegFailure, ownFailure } from "./root-cause.ts";
import { StallTimer } from "./stall-timer.ts";

/** One client's request. It ends once: with an answer, an error, or no client. */
export class Exchange {
  readonly canary: boolean;
  readonly askBytes: number;
  /** Every id and room that it has had. */
  readonly names = new Set<string>();
  readonly #options: ExchangeOptions;
  readonly #timer = new StallTimer(() => this.#stalled());
  readonly #arrivedMs = performance.now();
  #body = new BoundedBody(bodyBytesMax);
  #sent: (OldAttempt & { readonly attempt: Attempt }) | undefined;
  #waitEndsMs = 0;
  #paused = false;
  #ended = false;
  attempts = 0;
  bytes = 0;

  constructor(options: ExchangeOptions) {
    this.canary = options.canary;
    this.askBytes = options.askBytes;
    this.names.add(options.id);
    this.#options = options;
    options.client.onGone(() => this.#end("client-gone"));
    options.client.onDrain(() => this.#drained());
  }

  /** Where it is now; undefined while it waits. */
  get sent(): OldAttempt | undefined {
    return this.#sent;
  }

  /** Whether the client has been sent anything. */
  get begun(): boolean {
    return this.#options.client.begun;
  }

  /** Until the client's first token is due, counted from the arrival and over all attempts. */
  get firstTokenLeftMs(): number {
    return this.#arrivedMs + this.#options.limits.firstTokenMs - performance.now();
  }

  /** Of the router's deadlines the one that ends it next. */
  get deadline(): RouterRequest["deadline"] {
    if (this.#ended) return undefined;
    if (this.#sent === undefined) return { name: "held", inMs: Math.max(0, this.#waitEndsMs - performance.now()) };
    const gap = this.#sent.attempt.committed && this.#options.stream;
    return { name: gap ? "token-gap" : "first-token", inMs: this.#timer.leftMs };
  }

  /** Sends it to the engines of an edge. */
  send(edge: Edge): void {
    if (this.#ended) return;
    this.attempts += 1;
    const { letter: write, client, limits, events } = this.#options;
    const letter = write(edge, this.attempts);
    this.names.add(letter.id);
    if (letter.room !== undefined) this.names.add(letter.room);
    if (this.attempts > 1) client.sentAgain(letter.id, this.attempts);
    const attempt = new Attempt(
      { edge, request: letter.request, counted: !this.canary, limits },
      {
        committed: () => this.#begin(),
        data: (bytes) => this.#data(bytes),
        ended: (failure) => this.#finish(failure),
        failed: (failed) => this.#failed(failed),
        ackLost: (failure) => events.onAckLost(failure),
      },
    );
    this.#sent = { edge, letter, attempt };
    events.onSent();
    this.#timer.start(Math.max(0, this.firstTokenLeftMs));
    attempt.start();
  }

  /** Gives up the attempt, of which the client has seen nothing. */
  takeBack(): OldAttempt | undefined {
    const old = this.#sent;
    this.#timer.stop();
    old?.attempt.close(false);
    this.#sent = undefined;
    this.#paused = false;
    this.#body = new BoundedBody(bodyBytesMax);
    this.bytes = 0;
    return old;
  }

  /** It is on no engine, for so long at most. */
  waits(limitMs: number): void {
    this.#waitEndsMs = performance.now() + limitMs;
  }

  /** Someone asked for its end. */
  fail(failure: Failure): void {
    this.failWith(ownFailure(failure));
  }

  failWith(failed: LegFailure): void {
    if (this.#ended) return;
    this.#options.client.fail(failed);
    this.#end("failed", failed.failure);
  }

  #begin(): void {
    const { stream, client, limits, events } = this.#options;
    if (stream) client.beginStream();
    // An answer in one piece shows no tokens on the way, so only the longer limit can hold for it.
    this.#timer.start(stream ? limits.tokenGapMs : limits.firstTokenMs);
    events.onCommit();
  }

  #data(bytes: Buffer): void {
    this.bytes += bytes.length;
    this.#timer.moved();
    if (this.#options.stream) {
      if (this.#options.client.write(bytes)) return;
      this.#paused = true;
      this.#sent?.attempt.pause();
    } else if (!this.#body.add(bytes)) {
      this.fail(engineLost(this.#sent?.edge.decode.name ?? "", `answered more than ${bodyBytesMax} bytes`));
    }
  }

  #drained(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#timer.moved();
    this.#sent?.attempt.resume();
  }

  #finish(failure: Failure | undefined): void {
    const { stream, client } = this.#options;
    if (stream) client.endStream();
    else client.endWhole(failure === undefined ? 200 : statusOf(failure), this.#body.whole());
    this.#end(failure === undefined ? "answered" : "failed", failure);
  }

  #failed(failed: LegFailure): void {
    const told = failed.lost === undefined ? failed : this.#options.events.onLost(failed);
    if (told !== undefined) this.failWith(told);
  }

  #stalled(): void {
    const { limits, client } = this.#options;
    if (this.#sent === undefined) return;
    const { edge, attempt } = this.#sent;
    if (this.#paused) {
      this.#end("failed", clientStalled(limits.tokenGapMs));
      client.destroy();
    } else {
      this.fail(attempt.committed ? tokenGap(edge, limits.tokenGapMs) : noFirstToken(edge, limits.firstTokenMs));
    }
  }

  #end(outcome: Outcome, failure?: Failure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer.stop();
    this.#sent?.attempt.close(outcome === "answered");
    this.#options.events.onEnd(outcome, failure);
  }
}

// Far more than the longest answer: a context of text.
const bodyBytesMax = 32 * 1024 * 1024;
