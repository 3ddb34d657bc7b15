import { PdctlError } from "../contract/errors.ts";
import { errorPage } from "./error-page.ts";
import { exitCodeOf, healthExitCode, statusExitCode } from "./exit-codes.ts";
import { fleetArgsIn, withFleetArgs } from "./fleet-hint.ts";
import { unknownHealth } from "./health-result.ts";
import { healthWords } from "./health-words.ts";
import { systemError } from "./system-error.ts";

/** How a command ends on an error: what stderr and stdout say of it, and the exit status. */
export type Ending = { readonly talk: string; readonly data: string; readonly exit: number };

/** Of the command that was meant (such as "inspect:req"), with the words of its command line. */
export function endingOf(cause: unknown, { command, argv }: Asked): Ending {
  const error = systemError(cause);
  const talk = withFleetArgs(errorPage(error), fleetArgsIn(argv));
  return { talk, data: dataOf(error, { command, argv }), exit: exitOf(command)(error) };
}

export type Asked = { readonly command: string; readonly argv: readonly string[] };

function exitOf(command: string): (error: unknown) => number {
  if (command === "health") return healthExitCode;
  return command === "status" ? statusExitCode : exitCodeOf;
}

// Whoever reads the first line of a check, or its JSON, reads why it is unknown there.
function dataOf(error: unknown, { command, argv }: Asked): string {
  if (command !== "health" || !(error instanceof PdctlError) || error.code === "interrupted") return "";
  const format = /(?:^|\n)(?:-o|--output)[=\n]?(nagios|json)(?:\n|$)/.exec(argv.join("\n"))?.[1];
  if (format !== "nagios" && format !== "json") return "";
  return healthWords(unknownHealth(error.message, { failOn: "warning", maxAgeMs: 0, unknownAs: "unknown" }), format);
}
