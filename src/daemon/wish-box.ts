import type { Wish } from "../contract/wishes.ts";
import type { Wished } from "./api/parts.ts";

/** A wish that waits for the next tick, and whom to tell what became of it. */
export type Waiting = { readonly wish: Wish; readonly answer: (wished: Wished) => void };

const waitingMax = 64;

/** Where wishes wait for the tick: the only way in which anybody but the loop has a say. */
export class WishBox {
  readonly #onWish: () => void;
  #waiting: Waiting[] = [];

  constructor(onWish: () => void) {
    this.#onWish = onWish;
  }

  async leave(wish: Wish): Promise<Wished> {
    if (this.#waiting.length >= waitingMax) return refused("Too many wishes wait already.", "try again");
    const { promise, resolve } = Promise.withResolvers<Wished>();
    this.#waiting.push({ wish, answer: resolve });
    this.#onWish();
    return await promise;
  }

  take(): readonly Waiting[] {
    return this.#waiting.splice(0);
  }

  /** Nobody is left waiting where no tick will come. */
  close(): void {
    for (const { answer } of this.take()) answer(refused("The daemon ends.", "pdctl status shows what is left"));
  }
}

export function refused(words: string, tryThis: string): Wished {
  return { kind: "refused", words, tryThis };
}
