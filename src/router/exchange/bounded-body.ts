/** Collects an answer that is passed on in one piece. */
export class BoundedBody {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** False: it is larger than anything an engine should say, and was dropped. */
  add(part: Buffer): boolean {
    this.#bytes += part.length;
    if (this.#bytes > this.#bytesMax) {
      this.#parts = [];
      return false;
    }
    this.#parts.push(part);
    return true;
  }

  whole(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
