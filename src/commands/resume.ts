import { Args } from "@oclif/core";
import { actionFlags } from "../cli/action-flags.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { outcomeOf, outcomeWords } from "../cli/carry-out.ts";
import { daemonToAsk } from "../cli/daemon-to-ask.ts";
import { formatted } from "../cli/output.ts";

export default class Resume extends BaseCommand {
  static override summary = "Takes a drained engine back into service.";
  static override description =
    "Exit codes: 0 it takes requests, 1 unknown engine or it did not work, 2 wrong usage, 3 no fleet runs, 4 no outcome in time, 5 refused.";
  static override examples = ["<%= config.bin %> <%= command.id %> decode-1 --timeout 60s"];
  static override args = { engine: Args.string({ description: "Name of the engine.", required: true }) };
  static override flags = actionFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Resume);
    const signal = this.interruption();
    const client = daemonToAsk(flags);
    const { action } = await client.resume(args.engine, signal);
    const outcome = await outcomeOf(client, action, { limitMs: flags.timeout, signal, say: this.say });
    this.print(formatted(outcome, flags.output, () => outcomeWords(outcome)));
  }
}
