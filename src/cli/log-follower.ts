import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { LogLine } from "./log-files.ts";

const chunkBytes = 64 * 1024;
const lineCharactersMax = 1024 * 1024;

/** Reads what is added to a log, over its rotation: the rest of the old file comes before the new one. */
export class LogFollower {
  readonly #name: string;
  readonly #path: string;
  #file: number | undefined;
  #at = 0;
  #rest = "";

  /** `fromEnd` leaves out what is there already. */
  constructor(name: string, path: string, { fromEnd }: { readonly fromEnd: boolean }) {
    this.#name = name;
    this.#path = path;
    this.#open();
    if (fromEnd && this.#file !== undefined) this.#at = fstatSync(this.#file).size;
  }

  /** Whole lines since the last look. */
  take(): LogLine[] {
    if (this.#file === undefined) this.#open();
    if (this.#file === undefined) return [];
    const lines = this.#read(this.#file);
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (found === undefined || found.ino === fstatSync(this.#file).ino) return lines;
    // Rotated: what came between the read and the rename is still in the old one.
    lines.push(...this.#read(this.#file));
    this.close();
    this.#open();
    return this.#file === undefined ? lines : [...lines, ...this.#read(this.#file)];
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#at = 0;
  }

  #open(): void {
    try {
      this.#file = openSync(this.#path, "r");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }

  #read(file: number): LogLine[] {
    // Cut to nothing by someone: begin anew.
    if (fstatSync(file).size < this.#at) this.#at = 0;
    const lines: LogLine[] = [];
    const buffer = Buffer.alloc(chunkBytes);
    for (;;) {
      const length = readSync(file, buffer, 0, buffer.length, this.#at);
      if (length === 0) return lines;
      this.#at += length;
      const parts = (this.#rest + buffer.toString("utf8", 0, length)).split("\n");
      this.#rest = (parts.pop() ?? "").slice(-lineCharactersMax);
      lines.push(...parts.map((text) => ({ name: this.#name, text })));
    }
  }
}
