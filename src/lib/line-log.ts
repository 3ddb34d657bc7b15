import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Lines in a file whose room is taken when it is made, so that a full disk cannot stop an append. Each append is on
 * disk when it returns. A last line that a crash cut is not counted, and its bytes are wiped.
 */
export class LineLog {
  readonly #path: string;
  readonly #bytesMax: number;
  #file: number;
  #end = 0;

  private constructor(path: string, bytesMax: number, file: number) {
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#file = file;
  }

  /** Opens or makes it, and says which whole lines it holds. */
  static open(
    path: string,
    { bytesMax }: { readonly bytesMax: number },
  ): { readonly log: LineLog; readonly lines: readonly string[] } {
    const found = openExisting(path);
    if (found === undefined) {
      const log = new LineLog(path, bytesMax, makeWhole(path, Buffer.alloc(bytesMax)));
      return { log, lines: [] };
    }
    const log = new LineLog(path, Math.max(bytesMax, fstatSync(found).size), found);
    return { log, lines: log.#read() };
  }

  /** False where the line has no room any more: `replace` makes some. Throws where the disk refuses. */
  append(line: string): boolean {
    const bytes = Buffer.from(`${line}\n`);
    // One zero stays behind the last line: a reader knows by it where the lines end.
    if (this.#end + bytes.length >= this.#bytesMax) return false;
    writeAt(this.#file, bytes, this.#end);
    fsyncSync(this.#file);
    this.#end += bytes.length;
    return true;
  }

  /** Puts these lines in the place of all others: a new file, whole, under the same name. */
  replace(lines: readonly string[]): void {
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    const content = Buffer.alloc(Math.max(this.#bytesMax, text.length + 1));
    text.copy(content);
    try {
      const file = makeWhole(this.#path, content);
      closeSync(this.#file);
      this.#file = file;
    } catch (error) {
      if (!isFull(error)) throw error;
      // There is no room for a second file. The room of this one is ours already.
      writeAt(this.#file, content.subarray(0, fstatSync(this.#file).size), 0);
      fsyncSync(this.#file);
    }
    this.#end = text.length;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(): string[] {
    const content = Buffer.alloc(fstatSync(this.#file).size);
    const length = readSync(this.#file, content, 0, content.length, 0);
    const zero = content.indexOf(0);
    const text = content.subarray(0, zero < 0 ? length : zero);
    this.#end = text.lastIndexOf("\n") + 1;
    // Everything behind the last whole line becomes zero again, and a file that was cut gets its room back.
    const behind = Buffer.alloc(this.#bytesMax - this.#end);
    if (content.length < this.#bytesMax || !content.subarray(this.#end).equals(behind)) {
      writeAt(this.#file, behind, this.#end);
      fsyncSync(this.#file);
    }
    return text
      .toString("utf8", 0, this.#end)
      .split("\n")
      .filter((line) => line !== "");
  }
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, "r+");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

// Zeros that are written take their room; a file that is only made longer does not.
function makeWhole(path: string, content: Buffer): number {
  const partial = `${path}.new`;
  rmSync(partial, { force: true });
  const file = openSync(partial, "wx+", 0o600);
  try {
    writeAt(file, content, 0);
    fsyncSync(file);
    renameSync(partial, path);
    syncFolder(dirname(path));
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(partial, { force: true });
    throw error;
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeAt(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
