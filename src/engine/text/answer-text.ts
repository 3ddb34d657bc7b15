import { type StopScan, StopStrings } from "./stop-strings.ts";

/** The text of one answer as its tokens come: bytes to characters, then the search for stop strings. */
export class AnswerText {
  // A token may end in the middle of a character; the decoder keeps those bytes until the rest comes.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #stops: StopStrings;

  constructor(stops: readonly string[]) {
    this.#stops = new StopStrings(stops);
  }

  push(piece: Uint8Array): StopScan {
    return this.#stops.push(this.#decoder.decode(piece, { stream: true }));
  }

  /** The rest, after the last token; a character that never became whole is shown as U+FFFD. */
  end(): StopScan {
    const last = this.#stops.push(this.#decoder.decode());
    return last.stopped ? last : { text: last.text + this.#stops.flush(), stopped: false };
  }
}
