import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The last lines of a file that may be large or growing; `from` leaves out what was there before that byte. */
export function lastLines(
  path: string,
  { linesMax, bytesMax, from = 0 }: { linesMax: number; bytesMax: number; from?: number },
): string[] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    // A file that is smaller by now is another one.
    const wanted = from <= size ? size - from : size;
    const buffer = Buffer.alloc(Math.min(wanted, bytesMax));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString("utf8", 0, length).split("\n");
    // The first one may have been cut in its middle.
    if (wanted > bytesMax) lines.shift();
    return lines.filter((line) => line.trim() !== "").slice(-linesMax);
  } finally {
    closeSync(file);
  }
}
