import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { eventually } from "./clients.ts";

/** One request that an engine got; the test answers it. */
export type FixtureLeg = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The router closed the connection before the answer had ended. */
  readonly cancelled: () => boolean;
};

/** A small HTTP server that does as the test says. */
export class FixtureEngine {
  readonly legs: FixtureLeg[] = [];
  /** What its control routes were asked to fail, in order. */
  readonly failed: string[] = [];
  /** Whether a request that was asked to fail has ended. */
  ends = true;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  /** On a port of its own, or on that of one that has died. */
  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => this.die());
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The leg with this number, once it has come. */
  async leg(index = 0): Promise<FixtureLeg> {
    let found: FixtureLeg | undefined;
    await eventually(() => {
      found = this.legs[index];
      if (found === undefined) throw new Error(`the engine has ${this.legs.length} legs`);
    });
    if (found === undefined) throw new Error("no leg");
    return found;
  }

  /** As SIGKILL would: every connection breaks. */
  die(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const part of request) text += String(part);
    let cancelled = false;
    response.on("close", () => (cancelled = !response.writableFinished));
    response.on("error", () => undefined);
    const [, id, act] = /^\/admin\/v1\/requests\/([^/]+)(\/fail)?$/.exec(request.url ?? "") ?? [];
    if (id !== undefined) {
      if (act !== undefined) this.failed.push(id);
      const known = this.legs.some(({ body }) => body["rid"] === id) || (act === "/fail" && /^\d+$/.test(id));
      response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify({ id, live: !this.ends }));
      return;
    }
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[{"id":"tiny"}]}');
      return;
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    this.legs.push({ request, response, text, body, cancelled: () => cancelled });
  }
}

/** Decode's head, as it comes once decode has everything. */
export function commit(leg: FixtureLeg, type = "text/event-stream"): void {
  leg.response.writeHead(200, { "content-type": type, "x-pdctl-commit": "1" }).flushHeaders();
}

export function succeed(leg: FixtureLeg): void {
  leg.response.writeHead(200, { "content-type": "application/json" }).end('{"id":"x"}');
}

export function fail(leg: FixtureLeg, status: number, code: string, message: string): void {
  leg.response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { message, type: "server_error", code } }));
}
