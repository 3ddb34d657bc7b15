import { PdctlError } from "../contract/errors.ts";
import { parseSentence } from "./parse-sentence.ts";

/** Whether oclif only wants the process to end. */
export function isExit(error: Error): boolean {
  return "code" in error && error.code === "EEXIT";
}

/** Whether oclif could not make sense of the command line. */
export function isParseError(error: Error): boolean {
  // Where a flag's own reader refuses a value, oclif writes the flag's name into that very error.
  return error instanceof PdctlError ? error.message.startsWith("Parsing --") : "oclif" in error;
}

/** Whether oclif knows no command of that name. */
export function isUnknownCommand(error: Error): boolean {
  return isParseError(error) && /^command .* not found\.?$/i.test(error.message);
}

/** The same as an error of ours; `command` is what was understood of it. */
export function usageError(error: Error, command: string): PdctlError {
  const help = ["pdctl", ...command.split(":"), "--help"].filter((word) => word !== "").join(" ");
  return new PdctlError("usage", parseSentence(error.message), help, { cause: error });
}
