import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Address, addressText } from "../../contract/address.ts";
import { PdctlError } from "../../contract/errors.ts";
import { listenError } from "../../contract/listen-error.ts";

export type Page = { readonly contentType: string; readonly text: string };

/** A port on which one page is read. Where it is taken it is tried again: its holder may be a daemon that is ending. */
export class Listener {
  readonly #wanted: Address;
  readonly #server: Server;
  readonly #timer: NodeJS.Timeout;
  #fault: string | undefined;

  constructor(wanted: Address, page: (accept: string | undefined) => Promise<Page>, againMs = againMsUsual) {
    this.#wanted = wanted;
    this.#server = createServer(
      { requestTimeout: waitMs, headersTimeout: waitMs, keepAliveTimeout: waitMs },
      (from, to) => answer(page, from, to),
    );
    this.#server.maxConnections = connectionsMax;
    this.#timer = setInterval(() => {
      if (!this.#server.listening) void this.listen();
    }, againMs);
    this.#timer.unref();
  }

  /** Returns also where it does not work; `fault` says why, in words. */
  async listen(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#server.once("error", resolve);
    this.#server.listen(this.#wanted, () => resolve(undefined));
    const error = await promise;
    this.#server.removeListener("error", resolve);
    this.#fault = error === undefined ? undefined : faultWords(listenError(error, this.#wanted));
  }

  /** host:port, once it listens. */
  get address(): string | undefined {
    if (!this.#server.listening) return undefined;
    const { port } = this.#server.address() as AddressInfo;
    return addressText({ host: this.#wanted.host, port });
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

const waitMs = 5_000;
const againMsUsual = 10_000;
const connectionsMax = 64;

function answer(
  page: (accept: string | undefined) => Promise<Page>,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (url?.split("?")[0] !== "/metrics") {
    plain(response, 404, "There is only /metrics here.\n");
  } else if (method !== "GET" && method !== "HEAD") {
    plain(response, 405, "/metrics takes GET.\n");
  } else {
    page(headers.accept).then(
      ({ contentType, text }) => {
        response.writeHead(200, { "content-type": contentType, vary: "accept" }).end(text);
      },
      (error: unknown) => plain(response, 500, `This is a mistake in pdctl: ${String(error)}\n`),
    );
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
}

function faultWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const next = error instanceof PdctlError ? ` Try ${error.tryThis}, in metrics.listen.` : "";
  return `Nobody can read the metrics: ${words}${next}`;
}
