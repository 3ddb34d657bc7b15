import { Command } from "@oclif/core";
import { PdctlError } from "../contract/errors.ts";
import { errorPage } from "./error-page.ts";
import { exitCodeOf } from "./exit-codes.ts";

/** What every command shares: one place that ends on an error, one that hears Ctrl-C, and where words go. */
export abstract class BaseCommand extends Command {
  // Set here, since oclif's own default would print a stack and a frame around the sentence.
  protected override async catch(error: Error): Promise<void> {
    if (isExit(error)) throw error;
    const told = isParseError(error) ? usageError(error, this.id ?? "") : error;
    process.stderr.write(errorPage(told));
    process.exitCode = exitCodeOf(told);
  }

  /** Aborts on Ctrl-C and SIGTERM. A command that never asks for it ends at once, as any program does. */
  protected interruption(): AbortSignal {
    const controller = new AbortController();
    const abort = (): void => controller.abort(new PdctlError("interrupted", "Interrupted.", ""));
    process.once("SIGINT", abort);
    process.once("SIGTERM", abort);
    return controller.signal;
  }

  /** Data: the result that a pipe reads. */
  protected print(text: string): void {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Talk: for people, never for pipes. */
  protected say(text: string): void {
    process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
  }
}

function isExit(error: Error): boolean {
  return "code" in error && error.code === "EEXIT";
}

// oclif marks what it could not parse with the parser's own output.
function isParseError(error: Error): boolean {
  return "oclif" in error && !(error instanceof PdctlError);
}

function usageError(error: Error, command: string): PdctlError {
  const sentence = error.message.replace(/\nSee more help with --help$/, "");
  const help = command.replaceAll(":", " ");
  return new PdctlError("usage", sentence, `pdctl ${help} --help`, { cause: error });
}
