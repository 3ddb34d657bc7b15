import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

export type LegRequest = { readonly path: string; readonly headers: Record<string, string>; readonly body: Buffer };

/** What one engine answers. After `end` or `error` nothing more comes. */
export type LegEvents = {
  head(status: number, headers: IncomingHttpHeaders): void;
  data(bytes: Buffer): void;
  end(trailers: IncomingHttpHeaders): void;
  /** The connection could not be made, or broke. */
  error(lost: Lost): void;
};

/** How an engine was lost ("closed the connection"); refused: it was not there when the request came. */
export type Lost = { readonly words: string; readonly refused: boolean };

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
    this.#events.error(lostBy(error));
  }
}

function lostBy(error: Error): Lost {
  const code = "code" in error ? error.code : undefined;
  switch (code) {
    case "ECONNREFUSED":
      return { words: "refuses connections", refused: true };
    case "UND_ERR_CONNECT_TIMEOUT":
      return { words: "did not take a connection in time", refused: true };
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
    case "EPIPE":
      return { words: "closed the connection", refused: false };
    case "UND_ERR_DESTROYED":
      return { words: "was taken out of service", refused: false };
    default:
      return { words: `cannot be reached (${error.message})`, refused: false };
  }
}
