import { Args } from "@oclif/core";
import { forceFlag } from "../cli/action-flags.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { outcomeOf, outcomeWords } from "../cli/carry-out.ts";
import { daemonToAsk } from "../cli/daemon-to-ask.ts";
import { fleetFlags, tableOutputFlag } from "../cli/flags.ts";
import { formatted } from "../cli/output.ts";
import { durationFlag } from "../cli/process-flags.ts";

// Beyond the wait for open requests: the daemon's own looks and words.
const graceMs = 30_000;

export default class Drain extends BaseCommand {
  static override summary = "Takes an engine out of service: no new requests go to it, open ones may end.";
  static override description =
    "The last engine of its role is drained with --force only. resume takes it back.\n\nExit codes: 0 nothing runs on it any more, 1 unknown engine or not drained, 2 wrong usage, 3 no fleet runs, 4 no outcome in time, 5 refused.";
  static override examples = ["<%= config.bin %> <%= command.id %> decode-1 --timeout 60s"];
  static override args = { engine: Args.string({ description: "Name of the engine.", required: true }) };
  static override flags = {
    ...fleetFlags,
    output: tableOutputFlag,
    timeout: durationFlag({ summary: "How long open requests may go on.", default: 30_000 }),
    force: forceFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Drain);
    const signal = this.interruption();
    const client = daemonToAsk(flags);
    const { action } = await client.drain(args.engine, { drainMs: flags.timeout, force: flags.force }, signal);
    const outcome = await outcomeOf(client, action, { limitMs: flags.timeout + graceMs, signal, say: this.say });
    this.print(formatted(outcome, flags.output, () => outcomeWords(outcome)));
  }
}
