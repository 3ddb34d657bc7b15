import { Command } from "@oclif/core";
import { PdctlError } from "../contract/errors.ts";
import { endingOf } from "./ending.ts";
import { fleetArgsIn, withFleetArgs } from "./fleet-hint.ts";
import { isExit, isParseError, usageError } from "./oclif-errors.ts";

/** What every command shares: one place that ends on an error, one that hears Ctrl-C, and where words go. */
export abstract class BaseCommand extends Command {
  #interruption: AbortSignal | undefined;

  // Set here, since oclif's own default would print a stack and a frame around the sentence.
  protected override async catch(error: Error): Promise<void> {
    if (isExit(error)) throw error;
    // After Ctrl-C whatever breaks off breaks off for that reason.
    const interrupted: unknown = this.#interruption?.aborted ? this.#interruption.reason : undefined;
    const told = interrupted ?? (isParseError(error) ? usageError(error, this.id ?? "") : error);
    const { talk, data, exit } = endingOf(told, { command: this.id ?? "", argv: this.argv });
    process.stderr.write(talk);
    this.print(data);
    // Ends the process, also where something still holds it: a lifeline, a connection.
    this.exit(exit);
  }

  /** Aborts on Ctrl-C and SIGTERM. A command that never asks for it ends at once, as any program does. */
  protected interruption(): AbortSignal {
    const controller = new AbortController();
    const abort = (): void => controller.abort(new PdctlError("interrupted", "Interrupted.", ""));
    process.once("SIGINT", abort);
    process.once("SIGTERM", abort);
    this.#interruption = controller.signal;
    return controller.signal;
  }

  /** Data: the result that a pipe reads. */
  protected print(text: string): void {
    process.stdout.write(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  }

  /** A page for people: the command lines in it mean the fleet that this one has asked. */
  protected page(text: string): string {
    return withFleetArgs(text, fleetArgsIn(this.argv));
  }

  /** Talk: for people, never for pipes. An arrow, so that it can be handed on. */
  protected readonly say = (text: string): void => {
    const words = this.page(text);
    process.stderr.write(words.endsWith("\n") ? words : `${words}\n`);
  };
}
