import { createReadStream } from "node:fs";

/**
 * The lines of a file, one at a time, so that its size does not matter. Of a line that is longer than `charsMax` only
 * one character more is kept: who reads them can tell.
 */
export async function* boundedLines(path: string, { charsMax }: { charsMax: number }): AsyncGenerator<string> {
  let rest = "";
  for await (const part of createReadStream(path, { encoding: "utf8" }) as AsyncIterable<string>) {
    const pieces = part.split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      yield (rest + piece).slice(0, charsMax + 1);
      rest = "";
    }
    rest = (rest + last).slice(0, charsMax + 1);
  }
  if (rest !== "") yield rest;
}
