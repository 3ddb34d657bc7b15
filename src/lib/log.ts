import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { type Logger, pino } from "pino";

export type Log = Logger;

// A daemon lives for months: the file before stays as FILE.1, those before it go.
const bytesMaxUsual = 8 * 1024 * 1024;

/** A log of JSON lines in a file, written at once: the last line before a crash is there. */
export function fileLog(path: string, bytesMax = bytesMaxUsual): Log {
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, new BoundedFile(path, bytesMax));
}

/** Lines in a file that begins anew when it is full. A disk that takes nothing loses lines and stops nobody. */
class BoundedFile {
  readonly #path: string;
  readonly #bytesMax: number;
  #file: number;
  #bytes: number;

  constructor(path: string, bytesMax: number) {
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#file = openSync(path, "a", 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  write(line: string): void {
    try {
      if (this.#bytes >= this.#bytesMax) this.#beginAnew();
      this.#bytes += writeSync(this.#file, line);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  #beginAnew(): void {
    renameSync(this.#path, `${this.#path}.1`);
    const file = openSync(this.#path, "a", 0o600);
    closeSync(this.#file);
    this.#file = file;
    this.#bytes = 0;
  }
}
