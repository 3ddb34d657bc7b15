import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

export type LegRequest = { readonly path: string; readonly headers: Record<string, string>; readonly body: Buffer };

/** What one engine answers. After `end` or `error` nothing more comes. */
export type LegEvents = {
  head(status: number, headers: IncomingHttpHeaders): void;
  data(bytes: Buffer): void;
  end(trailers: IncomingHttpHeaders): void;
  /** The connection could not be made, or broke. */
  error(words: string): void;
};

/** One request to one engine. How long it may take is decided above it. */
export class Leg {
  readonly #engine: Dispatcher;
  readonly #request: LegRequest;
  readonly #events: LegEvents;
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;

  constructor(engine: Dispatcher, request: LegRequest, events: LegEvents) {
    this.#engine = engine;
    this.#request = request;
    this.#events = events;
  }

  start(): void {
    this.#engine.dispatch(
      { method: "POST", ...this.#request, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: (controller) => this.#begin(controller),
        onResponseStart: (_controller, status, headers) => this.#head(status, headers),
        onResponseData: (_controller, bytes) => this.#data(bytes),
        onResponseEnd: (_controller, trailers) => this.#end(trailers),
        onResponseError: (_controller, error) => this.#error(error),
      },
    );
  }

  /** Closes the connection, by which the engine learns that nobody waits. Nothing more is told. */
  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.abort(new Error("the router cancelled the request"));
  }

  pause(): void {
    if (!this.#over) this.#controller?.pause();
  }

  resume(): void {
    if (!this.#over) this.#controller?.resume();
  }

  // A request that was cancelled while it waited for its connection is dropped when it gets one.
  #begin(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error("the router cancelled the request"));
  }

  #head(status: number, headers: IncomingHttpHeaders): void {
    if (!this.#over && status >= 200) this.#events.head(status, headers);
  }

  #data(bytes: Buffer): void {
    if (!this.#over) this.#events.data(bytes);
  }

  #end(trailers: IncomingHttpHeaders): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.end(trailers);
  }

  #error(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.error(wordsOf(error));
  }
}

function wordsOf(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  switch (code) {
    case "ECONNREFUSED":
      return "refuses connections";
    case "UND_ERR_CONNECT_TIMEOUT":
      return "did not take a connection in time";
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
    case "EPIPE":
      return "closed the connection";
    default:
      return `cannot be reached (${error.message})`;
  }
}
