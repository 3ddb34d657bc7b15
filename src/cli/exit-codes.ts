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

/** The same for `status`, which keeps to the codes of init scripts: 3 is not running, 4 is not known. */
export function statusExitCode(error: unknown): number {
  const code = exitCodeOf(error);
  return code === exitCodes["no-daemon"] || code === exitCodes.interrupted ? code : 4;
}

/** The same for `health`, which keeps to the codes of Nagios: 3 is UNKNOWN. */
export function healthExitCode(error: unknown): number {
  return exitCodeOf(error) === exitCodes.interrupted ? exitCodes.interrupted : 3;
}
