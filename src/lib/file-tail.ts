import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The last lines of a file that may be large or growing. */
export function lastLines(path: string, { linesMax, bytesMax }: { linesMax: number; bytesMax: number }): string[] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, bytesMax));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString("utf8", 0, length).split("\n");
    // The first one may have been cut in its middle.
    if (size > bytesMax) lines.shift();
    return lines.filter((line) => line.trim() !== "").slice(-linesMax);
  } finally {
    closeSync(file);
  }
}
