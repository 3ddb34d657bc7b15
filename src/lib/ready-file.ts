import { writeWhole } from "./private-files.ts";

/** Tells whoever started this process that it serves, and where. Written whole: a reader never sees a part. */
export function writeReady(path: string | undefined, ready: { readonly url: string }): void {
  if (path === undefined) return;
  writeWhole(path, `${JSON.stringify({ ...ready, port: Number(new URL(ready.url).port) })}\n`);
}
