import { Args, Flags } from "@oclif/core";
import { actionFlags, forceFlag, whyFlag, yesFlag } from "../cli/action-flags.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { outcomeWords } from "../cli/carry-out.ts";
import { confirm } from "../cli/confirm.ts";
import { daemonToAsk } from "../cli/daemon-to-ask.ts";
import { fleetArgs } from "../cli/fleet-hint.ts";
import { formatted } from "../cli/output.ts";
import { checkedChoice, restart, restartCommand, restartWords } from "../cli/restart-wish.ts";

export default class Restart extends BaseCommand {
  static override summary = "Restarts engines: one after the other, or with --co those that belong together as one.";
  static override description =
    "With --co the engines stop together and start together under a new epoch, so that nothing of the old ones is taken for theirs; requests that have sent no byte are sent again. It waits until they serve.\n\nExit codes: 0 they serve again, 1 unknown engine or it did not work, 2 wrong usage, or no --yes without a terminal, 3 no fleet runs, 4 no outcome in time, 5 refused (budget used up, another operation runs).";
  static override examples = [
    '<%= config.bin %> <%= command.id %> decode --why "new driver" --yes',
    "<%= config.bin %> <%= command.id %> --co --all --yes",
  ];
  static override strict = false;
  static override args = { engine: Args.string({ description: "Names of the engines, or router." }) };
  static override flags = {
    ...actionFlags,
    co: Flags.boolean({ summary: "As one, with the engines that are bound to them." }),
    all: Flags.boolean({ summary: "With --co: every engine of the fleet." }),
    why: whyFlag(),
    force: forceFlag,
    yes: yesFlag,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Restart);
    const { co, all, force, why, yes } = flags;
    const choice = checkedChoice({ engines: argv.map(String), co, all, force, why });
    const signal = this.interruption();
    const question = {
      what: restartWords(choice),
      sameAs: [...restartCommand(choice), ...fleetArgs(flags)],
      yes,
      signal,
    };
    if (!(await confirm(question))) return this.exit(1);
    const outcomes = await restart(daemonToAsk(flags), choice, { limitMs: flags.timeout, signal, say: this.say });
    this.print(formatted(outcomes, flags.output, () => outcomes.map(outcomeWords).join("")));
  }
}
