import { closeSync, openSync, writeFileSync } from "node:fs";
import { PdctlError } from "../contract/errors.ts";
import { placeError } from "./place-error.ts";

/** Writes a file that is not there yet, for its owner alone. `force` writes over one that is. */
export function writeNewFile(path: string, text: string, { force }: { readonly force: boolean }): void {
  const file = openNewFile(path, { force, tryThis: "another file, or --force to write over it" });
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** The same, open for writing. */
export function openNewFile(
  path: string,
  { force, tryThis }: { readonly force: boolean; readonly tryThis: string },
): number {
  try {
    return openSync(path, force ? "w" : "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new PdctlError("usage", `${path} is there already.`, tryThis);
    }
    throw placeError(error, "a file in a folder of your own");
  }
}
