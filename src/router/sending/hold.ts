export type HoldTerms = { readonly why: string; readonly engines: readonly string[]; readonly leaseMs: number };

/** A hold for as long as its lease is renewed. */
export class Hold {
  readonly #onLapse: () => void;
  #terms: HoldTerms | undefined;
  #endsMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onLapse: () => void) {
    this.#onLapse = onLapse;
  }

  /** What is held, and for how long without being renewed; undefined while nothing is. */
  get now(): (HoldTerms & { readonly leftMs: number }) | undefined {
    return this.#terms && { ...this.#terms, leftMs: Math.max(0, this.#endsMs - performance.now()) };
  }

  begin(terms: HoldTerms): void {
    this.end();
    this.#terms = terms;
    this.#endsMs = performance.now() + terms.leaseMs;
    this.#timer = setTimeout(() => {
      this.end();
      this.#onLapse();
    }, terms.leaseMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#terms = undefined;
  }
}
