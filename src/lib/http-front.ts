import { createServer, type RequestListener, type Server } from "node:http";

/** A server that listens before what it serves is ready, and so can say that it is starting. */
export class HttpFront {
  readonly server: Server;
  #handle: RequestListener;

  constructor(whileStarting: RequestListener) {
    this.#handle = whileStarting;
    this.server = createServer(limits, (request, response) => this.#handle(request, response));
    this.server.maxConnections = connectionsMax;
  }

  serve(handle: RequestListener): void {
    this.#handle = handle;
  }

  /** The port that was picked. Rejects with the system's error. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once("error", reject).listen(port, host, resolve);
    await promise;
    this.server.off("error", reject);
    const address = this.server.address();
    return typeof address === "object" && address !== null ? address.port : port;
  }

  /** Takes no more connections; answers under way have `graceMs` to be read. */
  async close(graceMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await promise;
    clearTimeout(timer);
  }
}

// Of reading a request; how long an answer may take is not HTTP's affair. Idle connections outlive the 10 s of
// the router's pool, so that it never writes into one that is just being closed.
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};
const connectionsMax = 4096;
