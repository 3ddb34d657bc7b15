import { createServer, type Server, type ServerResponse } from "node:http";
import type { LiveView } from "../../../../src/contract/events.ts";

const tickMs = 100;

/** Sends live views on a Unix socket, as the daemon does at each tick. */
export class FakeDaemon {
  #view: LiveView;
  readonly #server: Server;
  readonly #readers = new Set<ServerResponse>();
  readonly #ticking: NodeJS.Timeout;
  #silent = false;

  private constructor(view: LiveView) {
    this.#view = view;
    this.#server = createServer((request, response) => {
      if (!request.url?.startsWith("/v1/events?view=live")) return response.writeHead(404).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      this.#readers.add(response);
      response.on("close", () => this.#readers.delete(response));
      this.#send(response);
    });
    this.#ticking = setInterval(() => {
      for (const reader of this.#readers) this.#send(reader);
    }, tickMs);
  }

  static async on(socket: string, view: LiveView): Promise<FakeDaemon> {
    const daemon = new FakeDaemon(view);
    await new Promise<void>((resolve, reject) => {
      daemon.#server.once("error", reject).listen(socket, resolve);
    });
    return daemon;
  }

  /** What is sent from now on. */
  shows(view: LiveView): void {
    this.#view = view;
  }

  /** Keeps its connections and says nothing more. */
  freezes(): void {
    this.#silent = true;
  }

  async end(): Promise<void> {
    clearInterval(this.#ticking);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #send(reader: ServerResponse): void {
    if (!this.#silent) reader.write(`event: view\ndata: ${JSON.stringify(this.#view)}\n\n`);
  }
}
