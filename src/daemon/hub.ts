import type { Source } from "./api/parts.ts";

/** Passes on what comes to everyone who listens. A listener that fails stops nobody. */
export class Hub<T> {
  readonly #listeners = new Set<(item: T) => void>();
  readonly #onMistake: (error: unknown) => void;

  constructor(onMistake: (error: unknown) => void) {
    this.#onMistake = onMistake;
  }

  readonly source: Source<T> = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  tell(item: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(item);
      } catch (error) {
        this.#onMistake(error);
      }
    }
  }
}
