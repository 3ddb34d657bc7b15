import type { FastifyReply } from "fastify";
import { sseHeaders } from "../../lib/sse.ts";

// A reader that does not read is let go of before the daemon's memory is: it comes back with its last id.
const bufferBytesMax = 1024 * 1024;
const beatMs = 10_000;

export type StreamEvent = { readonly name: string; readonly id?: number; readonly data: unknown };

/** One reader of server-sent events, with a bound on what waits for it. */
export class EventStream {
  readonly #reply: FastifyReply;
  readonly #beat: NodeJS.Timeout;
  readonly #onEnd: (() => void)[] = [];

  constructor(reply: FastifyReply) {
    this.#reply = reply;
    reply.hijack();
    reply.raw.writeHead(200, sseHeaders);
    // Whoever waits for a stream that is silent still sees that somebody is there.
    this.#beat = setInterval(() => this.#write(": beat\n\n"), beatMs);
    this.#beat.unref();
    reply.raw.on("error", () => undefined);
    reply.raw.once("close", () => this.#ended());
    this.#write(": begin\n\n");
  }

  onEnd(then: () => void): void {
    this.#onEnd.push(then);
  }

  send({ name, id, data }: StreamEvent): void {
    this.#write(`${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Whether all that was sent is on its way: what only the newest counts of may be left out until then. */
  get isIdle(): boolean {
    return this.#reply.raw.writableLength === 0;
  }

  end(): void {
    this.#reply.raw.end();
  }

  #write(text: string): void {
    const { raw } = this.#reply;
    if (raw.destroyed || raw.writableEnded) return;
    if (raw.writableLength > bufferBytesMax) raw.destroy();
    else raw.write(text);
  }

  #ended(): void {
    clearInterval(this.#beat);
    for (const then of this.#onEnd.splice(0)) then();
  }
}
