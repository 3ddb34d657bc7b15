import { PdctlError } from "../contract/errors.ts";
import { placeFault } from "../lib/place-fault.ts";

/** The error in a sentence that names the path, where the file system refused one; else the error itself. */
export function placeError(cause: unknown, tryThis: string): unknown {
  const fault = placeFault(cause);
  return fault === undefined ? cause : new PdctlError("place-invalid", `${fault}.`, tryThis, { cause });
}
