import { readFileSync } from "node:fs";
import { writeWhole } from "./private-files.ts";

const lookEveryMs = 1_000;

/**
 * Tells whoever started this process that it serves, and where. Written whole: a reader never sees a part; and written
 * again where it is lost or overwritten, until `stop` aborts: a later daemon finds this process by it.
 */
export function keepReady(path: string | undefined, ready: { readonly url: string }, stop: AbortSignal): void {
  if (path === undefined) return;
  const text = `${JSON.stringify({ ...ready, port: Number(new URL(ready.url).port) })}\n`;
  try {
    writeWhole(path, text);
  } catch (error) {
    // It serves all the same, and the file comes once there is room.
    if (!(error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT")))
      throw error;
  }
  const look = setInterval(() => keep(path, text), lookEveryMs).unref();
  stop.addEventListener("abort", () => clearInterval(look), { once: true });
}

// A full disk or a folder that is gone is no reason to end: the next look tries again.
function keep(path: string, text: string): void {
  try {
    if (textOf(path) !== text) writeWhole(path, text);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
