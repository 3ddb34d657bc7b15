import { PdctlError } from "../../contract/errors.ts";

/** What ends everything here: only who holds the lock may act. */
export function lockLost(): PdctlError {
  return new PdctlError("lock-lost", "Another process has taken over the fleet.", "pdctl status shows which");
}
