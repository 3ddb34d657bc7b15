import type { ServerResponse } from "node:http";
import { errorBody, type Failure, statusOf } from "../../contract/failure-status.ts";
import { headerNames, type Usage } from "../../contract/openai.ts";
import type { AnswerWriter, FinishReason } from "./answer-writer.ts";
import { type AnswerName, wholeBody } from "./chunk-format.ts";
import { sendError } from "./send-error.ts";

/** Collects an answer and sends it in one piece. Its length is bounded by the engine's context. */
export class WholeWriter implements AnswerWriter {
  readonly #response: ServerResponse;
  readonly #name: AnswerName;
  #text = "";

  constructor(response: ServerResponse, name: AnswerName) {
    this.#response = response;
    this.#name = name;
  }

  // The status is sent before the answer, since the router waits for the commit. What fails after it is told by a
  // trailer.
  committed(): void {
    const headers = { "content-type": "application/json", [headerNames.commit]: "1" };
    this.#response.writeHead(200, headers).flushHeaders();
  }

  text(text: string): void {
    this.#text += text;
  }

  finished(reason: FinishReason, usage: Usage): void {
    const body = wholeBody(this.#name, this.#text, reason, usage);
    if (!this.#response.headersSent) this.#response.writeHead(200, { "content-type": "application/json" });
    this.#response.end(body);
  }

  failed(failure: Failure): void {
    if (this.#response.headersSent) {
      this.#response.addTrailers({ [headerNames.failure]: failure.code });
      this.#response.end(errorBody(failure));
    } else {
      sendError(this.#response, statusOf(failure), errorBody(failure));
    }
  }

  unreadBytes(): number {
    return 0;
  }
}
