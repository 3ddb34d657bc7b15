import { Pool } from "undici";
import type { Address } from "../../contract/address.ts";
import { Reach } from "./reach.ts";

/** What the table of edges says of one engine. */
export type EngineSpec = {
  readonly name: string;
  readonly role: "prefill" | "decode" | "both";
  readonly url: string;
  /** Prefill only. */
  readonly bootstrap: Address | undefined;
  readonly generation: number;
  /** Whether it takes new requests. */
  readonly admits: boolean;
};

/** One life of an engine behind the router, with its connections: started again, it is another Engine. */
export class Engine {
  readonly name: string;
  readonly role: EngineSpec["role"];
  readonly url: string;
  readonly bootstrap: Address | undefined;
  readonly pool: Pool;
  readonly reach: Reach;
  readonly #generation: number;
  readonly #gone = new AbortController();
  admits: boolean;
  /** Requests on their way through it. */
  open = 0;
  /** How often it was chosen. */
  picked = 0;
  #crowd: number | undefined;

  constructor({ name, role, url, bootstrap, generation, admits }: EngineSpec, connectMs: number) {
    this.name = name;
    this.role = role;
    this.url = url;
    this.bootstrap = bootstrap;
    this.admits = admits;
    this.pool = new Pool(url, { pipelining: 1, keepAliveTimeout: keepAliveMs, connect: { timeout: connectMs } });
    this.reach = new Reach(url);
    this.#generation = generation;
  }

  /** Aborted once the table has another in its place: it has ended. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** How many requests were open when its connections broke; undefined while they hold. */
  get crowd(): number | undefined {
    return this.#crowd;
  }

  /** Whether the table still means the same process. */
  isThat({ role, url, bootstrap, generation }: EngineSpec): boolean {
    return (
      role === this.role &&
      url === this.url &&
      generation === this.#generation &&
      bootstrap?.host === this.bootstrap?.host &&
      bootstrap?.port === this.bootstrap?.port
    );
  }

  /** A leg had an answer. */
  answered(): void {
    this.#crowd = undefined;
    this.reach.answered();
  }

  /** A leg had none: the connection broke, or there was none to be had. */
  lost(words: string): void {
    this.#crowd ??= this.open;
    this.reach.failed(words);
  }

  /** Drops its connections. */
  async end(): Promise<void> {
    this.#gone.abort();
    this.reach.close();
    await this.pool.destroy();
  }
}

// Shorter than the engines', so that no request meets a connection that is just being closed.
const keepAliveMs = 10_000;
