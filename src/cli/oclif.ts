import { fileURLToPath } from "node:url";
import { Config, Errors, run } from "@oclif/core";
import { hearBrokenOutput } from "./broken-output.ts";
import { type Asked, endingOf } from "./ending.ts";
import { isExit, isParseError, isUnknownCommand, usageError } from "./oclif-errors.ts";
import { knownCommand, unknownCommand } from "./unknown-command.ts";

/** Runs the command of the command line; `root` is a file URL inside the package. */
export async function runCommand(root: string): Promise<void> {
  hearBrokenOutput();
  const argv = withHelpAsFlag(process.argv.slice(2));
  // Not oclif's execute(): it waits for stdout to drain, which never happens once its reader has gone.
  await run(argv, loading(root)).catch(async (error: Error) => {
    if (!isUnknownCommand(error)) return await end(error, { command: "", argv });
    const names = await commandNames(root);
    await end(unknownCommand(argv, names), { command: knownCommand(argv, names) ?? "", argv });
  });
}

// "help run" is "run --help".
function withHelpAsFlag(argv: readonly string[]): string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : [...argv];
}

// No plugins: oclif would run what a file in the user's data folder names, and warn where it cannot read there.
function loading(root: string): { readonly root: string; readonly userPlugins: false; readonly devPlugins: false } {
  return { root: fileURLToPath(root), userPlugins: false, devPlugins: false };
}

async function commandNames(root: string): Promise<string[]> {
  const { commandIDs } = await Config.load(loading(root));
  return commandIDs.map((id) => id.replaceAll(":", " "));
}

// What no command has caught: an unknown command, and the exit codes of those that were caught.
async function end(error: Error, asked: Asked): Promise<void> {
  if (isExit(error)) return await Errors.handle(error);
  const { talk, data, exit } = endingOf(isParseError(error) ? usageError(error, "") : error, asked);
  process.stderr.write(talk);
  process.stdout.write(data);
  await Errors.handle(new Errors.ExitError(exit));
}
