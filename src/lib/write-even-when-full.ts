import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { writeWhole } from "./private-files.ts";

const blockBytes = 512;

/** Writes the whole file or nothing; where the disk has no room for a second one, over the one that is there. */
export function writeEvenWhenFull(path: string, content: string): void {
  try {
    writeWhole(path, content);
  } catch (error) {
    const isFull = error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
    if (!isFull || !wroteOver(path, content)) throw error;
  }
}

/** Writes over a file, in the room on the disk that it has already; false where it has too little, or is not there. */
export function wroteOver(path: string, content: string): boolean {
  const file = opened(path);
  if (file === undefined) return false;
  try {
    const bytes = Buffer.from(content);
    if (fstatSync(file).blocks * blockBytes < bytes.length) return false;
    writeSync(file, bytes, 0, bytes.length, 0);
    ftruncateSync(file, bytes.length);
    return true;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, "r+");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
