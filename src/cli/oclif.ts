import { Errors, run } from "@oclif/core";
import { hearBrokenOutput } from "./broken-output.ts";
import { errorPage } from "./error-page.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { isExit, isParseError, usageError } from "./oclif-errors.ts";

/** Runs the command of the command line; `root` is a file URL inside the package. */
export async function runCommand(root: string): Promise<void> {
  hearBrokenOutput();
  // Not oclif's execute(): it waits for stdout to drain, which never happens once its reader has gone.
  await run(process.argv.slice(2), root).catch(end);
}

// What no command has caught: an unknown command, and the exit codes of those that were caught.
async function end(error: Error): Promise<void> {
  if (isExit(error)) return await Errors.handle(error);
  const told = isParseError(error) ? usageError(error, "") : error;
  process.stderr.write(errorPage(told));
  await Errors.handle(new Errors.ExitError(exitCodeOf(told)));
}
