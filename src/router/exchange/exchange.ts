import type { IncomingHttpHeaders } from "node:http";
import { type Failure, statusOf } from "../../contract/failure-status.ts";
import { headerNames } from "../../contract/openai.ts";
import type { Edge } from "../edges.ts";
import { BoundedBody } from "./bounded-body.ts";
import type { ClientAnswer } from "./client-answer.ts";
import { clientStalled, engineLost, noFirstToken, tokenGap } from "./failure-words.ts";
import { Leg, type LegRequest } from "./leg.ts";
import { PrefillLeg } from "./prefill-leg.ts";
import { engineFailure, isEcho, type LegFailure, ownFailure, rootCause } from "./root-cause.ts";
import { StallTimer } from "./stall-timer.ts";

export type Outcome = "answered" | "failed" | "client-gone";

export type ExchangeOptions = {
  readonly edge: Edge;
  readonly request: LegRequest;
  readonly stream: boolean;
  readonly client: ClientAnswer;
  readonly limits: {
    readonly firstTokenMs: number;
    readonly tokenGapMs: number;
    readonly echoMs: number;
    readonly ackMs: number;
  };
  /** When decode's head has come, and so no failure of prefill counts any more. */
  readonly onCommit: () => void;
  readonly onEnd: (outcome: Outcome, failure: Failure | undefined) => void;
  /** Prefill failed, or never ended, although decode had everything. */
  readonly onAckLost: (failure: Failure) => void;
};

/** One request on its way through prefill and decode. It ends once: with an answer, an error, or no client. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #timer = new StallTimer(() => this.#stalled());
  readonly #body = new BoundedBody(bodyBytesMax);
  readonly #prefill: PrefillLeg | undefined;
  readonly #decode: Leg;
  #echo: NodeJS.Timeout | undefined;
  #prefillFailed: LegFailure | undefined;
  #decodeFailed: LegFailure | undefined;
  #head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
  #committed = false;
  #paused = false;
  #ended = false;
  bytes = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { edge, limits, request } = options;
    this.#prefill =
      edge.prefill && new PrefillLeg(edge.prefill, request, limits.ackMs, (failed) => this.#failPrefill(failed));
    this.#decode = new Leg(edge.decode.pool, request, {
      head: (status, headers) => this.#begin(status, headers),
      data: (bytes) => this.#data(bytes),
      end: (trailers) => this.#finish(trailers),
      error: (words) => this.#loseDecode(words),
    });
  }

  /** Sends both legs at once. */
  start(): void {
    const { edge, client, limits } = this.#options;
    edge.open += 1;
    edge.decode.open += 1;
    client.onGone(() => this.#end("client-gone"));
    client.onDrain(() => this.#drained());
    this.#timer.start(limits.firstTokenMs);
    this.#prefill?.start();
    if (!this.#ended) this.#decode.start();
  }

  /** Someone asked for its end. */
  fail(failure: Failure): void {
    this.#fail(ownFailure(failure));
  }

  #begin(status: number, headers: IncomingHttpHeaders): void {
    this.#head = { status, headers };
    this.#options.edge.decode.reach.answered();
    if (status !== 200) return;
    const { stream, client, limits, onCommit, onAckLost } = this.#options;
    this.#committed = true;
    clearTimeout(this.#echo);
    if (this.#prefillFailed !== undefined) onAckLost(this.#prefillFailed.failure);
    if (stream) client.beginStream();
    // An answer in one piece shows no tokens on the way, so only the longer limit can hold for it.
    this.#timer.start(stream ? limits.tokenGapMs : limits.firstTokenMs);
    onCommit();
  }

  #data(bytes: Buffer): void {
    this.bytes += bytes.length;
    this.#timer.moved();
    if (!this.#options.stream || !this.#committed) {
      if (!this.#body.add(bytes))
        this.fail(engineLost(this.#options.edge.decode.target.name, `answered more than ${bodyBytesMax} bytes`));
    } else if (!this.#options.client.write(bytes)) {
      this.#paused = true;
      this.#decode.pause();
    }
  }

  #drained(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#timer.moved();
    this.#decode.resume();
  }

  // A failure after the head comes as a trailer; what it says is in the body that has been passed on.
  #finish(trailers: IncomingHttpHeaders): void {
    const { edge, stream, client } = this.#options;
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    if (!this.#committed) {
      const body = this.#body.whole().toString("utf8");
      this.#failDecode(engineFailure(edge.decode.target.name, { status, headers, body }));
      return;
    }
    const code = trailers[headerNames.failure];
    const failure =
      typeof code === "string" ? { code, words: `Engine ${edge.decode.target.name} failed it: ${code}.` } : undefined;
    if (stream) client.endStream();
    else client.endWhole(failure === undefined ? 200 : statusOf(failure), this.#body.whole());
    this.#end(failure === undefined ? "answered" : "failed", failure);
  }

  #failPrefill(failed: LegFailure): void {
    if (this.#committed) {
      this.#options.onAckLost(failed.failure);
      return;
    }
    this.#prefillFailed = failed;
    this.#consider(failed, this.#decodeFailed);
  }

  #loseDecode(words: string): void {
    const { target, reach } = this.#options.edge.decode;
    reach.failed(words);
    this.#failDecode(ownFailure(engineLost(target.name, words)));
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
    if (this.#ended) return;
    if (earlier !== undefined) this.#fail(rootCause(earlier, failed));
    else if (!isEcho(failed) || this.#prefill === undefined) this.#fail(failed);
    else this.#echo = setTimeout(() => this.#fail(failed), this.#options.limits.echoMs);
  }

  #stalled(): void {
    const { limits, client, edge } = this.#options;
    if (this.#paused) {
      this.#end("failed", clientStalled(limits.tokenGapMs));
      client.destroy();
    } else {
      this.fail(this.#committed ? tokenGap(edge, limits.tokenGapMs) : noFirstToken(edge, limits.firstTokenMs));
    }
  }

  #fail(failed: LegFailure): void {
    if (this.#ended) return;
    this.#options.client.fail(failed);
    this.#end("failed", failed.failure);
  }

  #end(outcome: Outcome, failure?: Failure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer.stop();
    clearTimeout(this.#echo);
    this.#decode.cancel();
    if (outcome === "answered") this.#prefill?.awaitEnd();
    else this.#prefill?.cancel();
    const { edge, onEnd } = this.#options;
    edge.open -= 1;
    edge.decode.open -= 1;
    if (outcome === "answered") edge.okTotal += 1;
    onEnd(outcome, failure);
  }
}

// Far more than the longest answer: a context of text.
const bodyBytesMax = 32 * 1024 * 1024;
