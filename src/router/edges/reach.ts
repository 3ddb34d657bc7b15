import { askJson } from "../../lib/http-json.ts";
import { limited } from "../../lib/wait.ts";

/** Whether one engine can be reached: its legs show it, and where they do not, its /health is asked. */
export class Reach {
  readonly #url: string;
  readonly #closing = new AbortController();
  #lost: string | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  /** What it does instead of answering ("refuses connections"); undefined while it answers. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** A leg had an answer. */
  answered(): void {
    this.#lost = undefined;
  }

  /** A leg had none. */
  failed(words: string): void {
    this.#lost = words;
  }

  /** Asks the engine, once a second at most however many want to know. Never rejects. */
  async check(): Promise<void> {
    if (performance.now() - this.#askedMs >= askEveryMs) {
      this.#askedMs = performance.now();
      this.#asking = this.#ask();
    }
    await this.#asking;
  }

  close(): void {
    this.#closing.abort();
  }

  async #ask(): Promise<void> {
    const signal = limited(askMs, this.#closing.signal);
    try {
      const { status } = await askJson({ url: `${this.#url}/health` }, { signal });
      this.#lost = status === 200 ? undefined : `answers /health with ${status}`;
    } catch (error) {
      this.#lost = signal.aborted ? `does not answer within ${askMs / 1000} s` : wordsOf(error);
    }
  }
}

const askEveryMs = 1_000;
// An engine that is only busy answers between two steps.
const askMs = 5_000;

function wordsOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ECONNREFUSED") return "refuses connections";
  return `cannot be reached (${error instanceof Error ? error.message : String(error)})`;
}
