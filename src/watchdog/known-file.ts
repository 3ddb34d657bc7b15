import { textIn } from "../lib/text-in.ts";
import { writeEvenWhenFull } from "../lib/write-even-when-full.ts";

/** A file that this process only reads, and what it said when it could be read last. */
export class KnownFile<T> {
  readonly path: string;
  readonly #parse: (text: string) => T | undefined;
  #last: { readonly text: string; readonly value: T } | undefined;
  #isLost = false;

  constructor(path: string, parse: (text: string) => T | undefined) {
    this.path = path;
    this.#parse = parse;
  }

  /** What it says; where it is gone or spoilt, what it said last. Undefined where it never could be read. */
  look(): T | undefined {
    const text = textIn(this.path);
    const value = text === undefined ? undefined : this.#parse(text);
    this.#isLost = text === undefined || value === undefined;
    if (text !== undefined && value !== undefined) this.#last = { text, value };
    return this.#last?.value;
  }

  /** What is wrong with it, as it was looked at last. */
  get fault(): string | undefined {
    if (!this.#isLost) return undefined;
    const then = this.#last === undefined ? "nothing is done until it can" : "what it said last counts";
    return `${this.path} cannot be read: ${then}`;
  }

  /** Writes what it said last, where it is lost. */
  restore(): void {
    this.look();
    if (this.#isLost && this.#last !== undefined) writeEvenWhenFull(this.path, this.#last.text);
  }
}
