import { statfsSync } from "node:fs";
import { NotBegun } from "../../lib/shim.ts";

// What an engine writes until it serves takes less.
const roomBytesMin = 64 * 1024;

/**
 * Whether a start failed by what is around it and not by what was started: its files could not be written, its shim
 * could not begin, or what did begin has no room to say that it is ready. Then it says nothing about the process.
 */
export function startedNothing(error: unknown, state: string): boolean {
  return error instanceof NotBegun || (error instanceof Error && "syscall" in error) || isFull(state);
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    // A file system that does not count its room tells nothing.
    return blocks > 0 && bavail * bsize < roomBytesMin;
  } catch (error) {
    // It cannot be asked, so that nothing can be written there either.
    return error instanceof Error && "syscall" in error;
  }
}
