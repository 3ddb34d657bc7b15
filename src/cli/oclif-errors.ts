import { PdctlError } from "../contract/errors.ts";

/** Whether oclif only wants the process to end. */
export function isExit(error: Error): boolean {
  return "code" in error && error.code === "EEXIT";
}

/** Whether oclif could not make sense of the command line. */
export function isParseError(error: Error): boolean {
  return "oclif" in error && !(error instanceof PdctlError);
}

/** The same as an error of ours; `command` is what was understood of it. */
export function usageError(error: Error, command: string): PdctlError {
  const sentence = error.message.replace(/\nSee more help with --help$/, "");
  const help = ["pdctl", ...command.split(":"), "--help"].filter((word) => word !== "").join(" ");
  return new PdctlError("usage", sentence, help, { cause: error });
}
