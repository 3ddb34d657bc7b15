import type { ServerResponse } from "node:http";
import { errorBody, type Failure, statusOf } from "../../contract/failure-status.ts";
import { headerNames, type Usage } from "../../contract/openai.ts";
import { sseEvent, sseHeaders } from "../../lib/sse.ts";
import type { AnswerWriter, FinishReason } from "./answer-writer.ts";
import type { ChunkFormat } from "./chunk-format.ts";
import { sendError } from "./send-error.ts";

/** Writes an answer as server-sent events: one write a token. */
export class StreamWriter implements AnswerWriter {
  readonly #response: ServerResponse;
  readonly #format: ChunkFormat;
  #committed = false;

  constructor(response: ServerResponse, format: ChunkFormat) {
    this.#response = response;
    this.#format = format;
  }

  committed(): void {
    this.#committed = true;
    this.#begin();
  }

  text(text: string): void {
    this.#begin();
    this.#response.write(this.#format.text(text));
  }

  finished(reason: FinishReason, usage: Usage): void {
    this.#begin();
    this.#limitReading();
    this.#response.end(this.#format.end(reason, usage));
  }

  // Once the status has been sent, the error is an event, and a trailer tells the router without parsing.
  failed(failure: Failure): void {
    if (this.#response.headersSent) {
      this.#limitReading();
      this.#response.addTrailers({ [headerNames.failure]: failure.code });
      this.#response.end(sseEvent(errorBody(failure)));
    } else {
      sendError(this.#response, statusOf(failure), errorBody(failure));
    }
  }

  unreadBytes(): number {
    return this.#response.writableLength;
  }

  // A client that stays but reads nothing would otherwise keep the rest of its answer in memory for ever.
  #limitReading(): void {
    this.#response.setTimeout(readRestMs, () => this.#response.destroy());
  }

  #begin(): void {
    if (this.#response.headersSent) return;
    const commit = this.#committed ? { [headerNames.commit]: "1" } : {};
    this.#response.writeHead(200, { ...sseHeaders, ...commit });
    if (this.#format.first === "") this.#response.flushHeaders();
    else this.#response.write(this.#format.first);
  }
}

// Without a byte read in this time, the client is taken to be gone.
const readRestMs = 30_000;
