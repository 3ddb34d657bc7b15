import { type Exit, errorList, PdctlError } from "../contract/errors.ts";

/** What a command's exit status means, the same for every command. */
export const exitCodes: Record<Exit, number> = {
  done: 0,
  failed: 1,
  usage: 2,
  "no-daemon": 3,
  "timed-out": 4,
  refused: 5,
  // 128 + SIGINT, as shells report it.
  interrupted: 130,
};

export function exitCodeOf(error: unknown): number {
  return error instanceof PdctlError ? exitCodes[errorList[error.code].exit] : exitCodes.failed;
}
