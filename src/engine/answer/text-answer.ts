import type { Failure } from "../../contract/failure-status.ts";
import type { NativeEngine, NativeEvent } from "../native.ts";
import { AnswerText } from "../text/answer-text.ts";
import { type AnswerWriter, type FinishReason, usageOf } from "./answer-writer.ts";

export type TextAnswerOptions = {
  readonly native: Pick<NativeEngine, "piece" | "abort" | "finish">;
  readonly id: string;
  readonly promptTokens: number;
  readonly stops: readonly string[];
  readonly writer: AnswerWriter;
  /** Called once, when the client has had its end. */
  readonly onEnd: () => void;
};

/** One answer in text: tokens in, text out, until the engine, a stop string, the client or a slow reader ends it. */
export class TextAnswer {
  readonly #options: TextAnswerOptions;
  readonly #text: AnswerText;
  #tokens = 0;
  #ended = false;

  constructor(options: TextAnswerOptions) {
    this.#options = options;
    this.#text = new AnswerText(options.stops);
  }

  take(event: NativeEvent): void {
    if (this.#ended) return;
    switch (event.kind) {
      case "committed":
        this.#options.writer.committed();
        return;
      case "token":
        this.#token(event.token);
        return;
      case "finished":
        this.#finish(event.reason, event.outputTokens);
        return;
      case "failed":
        this.#fail(event.failure);
        return;
    }
  }

  /** The client closed its connection. */
  clientLeft(): void {
    this.#abandon("the client closed the connection");
  }

  #token(token: number): void {
    const { native, writer } = this.#options;
    this.#tokens += 1;
    const { text, stopped } = this.#text.push(native.piece(token));
    if (text !== "") writer.text(text);
    if (stopped) this.#stop();
    else if (writer.unreadBytes() > unreadBytesMax) this.#refuseSlowReader();
  }

  // The engine knows tokens and no text, so it goes on until it is told.
  #stop(): void {
    this.#options.native.finish(this.#options.id);
    this.#end("stop", this.#tokens);
  }

  #finish(reason: FinishReason, outputTokens: number): void {
    const { text, stopped } = this.#text.end();
    if (text !== "") this.#options.writer.text(text);
    this.#end(stopped ? "stop" : reason, outputTokens);
  }

  #refuseSlowReader(): void {
    const words = `The client reads too slowly: more than ${unreadBytesMax} bytes of the answer wait for it.`;
    const failure = { code: "aborted", words };
    this.#options.native.abort(this.#options.id, failure);
    this.#fail(failure);
  }

  #end(reason: FinishReason, outputTokens: number): void {
    this.#close();
    this.#options.writer.finished(reason, usageOf(this.#options.promptTokens, outputTokens));
  }

  #fail(failure: Failure): void {
    this.#close();
    this.#options.writer.failed(failure);
  }

  #abandon(words: string): void {
    if (this.#ended) return;
    this.#options.native.abort(this.#options.id, { code: "aborted", words });
    this.#close();
  }

  #close(): void {
    this.#ended = true;
    this.#options.onEnd();
  }
}

// Several thousand events: far more than a client that reads at all leaves lying.
const unreadBytesMax = 1024 * 1024;
