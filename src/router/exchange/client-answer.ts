import type { ServerResponse } from "node:http";
import { errorBody, type Failure } from "../../contract/failure-status.ts";
import { headerNames } from "../../contract/openai.ts";
import { sseEvent, sseHeaders } from "../../lib/sse.ts";
import type { LegFailure } from "./root-cause.ts";

/** The client's end of an exchange. */
export class ClientAnswer {
  readonly #response: ServerResponse;
  readonly #ownId: boolean;
  #last: Buffer | undefined;

  constructor(
    response: ServerResponse,
    { id, clientId }: { readonly id: string; readonly clientId: string | undefined },
  ) {
    this.#response = response;
    this.#ownId = clientId !== undefined;
    response.setHeader(headerNames.requestId, clientId ?? id);
    response.setHeader(headerNames.routerRequestId, id);
  }

  /** Whether anything has been sent to it. */
  get begun(): boolean {
    return this.#response.headersSent;
  }

  /** The answer will come from another attempt than the first. */
  sentAgain(id: string, attempt: number): void {
    if (!this.#ownId) this.#response.setHeader(headerNames.requestId, id);
    this.#response.setHeader(headerNames.routerRequestId, id);
    this.#response.setHeader(headerNames.attempt, attempt);
  }

  /** Called when the client closes its connection before its answer has ended. */
  onGone(gone: () => void): void {
    this.#response.once("close", () => {
      if (!this.#response.writableFinished) gone();
    });
  }

  /** Called each time the client has read what waited for it. */
  onDrain(drained: () => void): void {
    this.#response.on("drain", drained);
  }

  beginStream(): void {
    this.#response.writeHead(200, sseHeaders).flushHeaders();
  }

  /** False: the client reads more slowly than the engine writes. */
  write(bytes: Buffer): boolean {
    this.#last = bytes;
    return this.#response.write(bytes);
  }

  endStream(): void {
    this.#limitReading();
    this.#response.end();
  }

  // The engine may have died in the middle of an event: a blank line ends what there was of it.
  failStream(failure: Failure): void {
    const whole = this.#last === undefined || this.#last.toString("latin1", this.#last.length - 2) === "\n\n";
    this.#limitReading();
    this.#response.end(`${whole ? "" : "\n\n"}${sseEvent(errorBody(failure))}`);
  }

  endWhole(status: number, body: Buffer | string): void {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    this.#limitReading();
    this.#response.writeHead(status, headers).end(body);
  }

  fail({ status, body, failure, retryAfter }: LegFailure): void {
    if (this.#response.headersSent) {
      this.failStream(failure);
      return;
    }
    if (retryAfter !== undefined) this.#response.setHeader("retry-after", retryAfter);
    this.endWhole(status, body);
  }

  /** Nothing more can be told to this client. */
  destroy(): void {
    this.#response.destroy();
  }

  // A client that stays but reads nothing would otherwise keep the rest of its answer in memory for ever.
  #limitReading(): void {
    this.#response.setTimeout(readRestMs, () => this.#response.destroy());
  }
}

const readRestMs = 30_000;
