import { askFleet } from "../cli/ask-fleet.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { fleetFlags, outputFlag } from "../cli/flags.ts";
import { fleetPage } from "../cli/fleet-page.ts";
import { formatted } from "../cli/output.ts";

export default class Status extends BaseCommand {
  static override summary = "Shows the fleet: its processes, its pairs, the watchdog, and what is wrong.";
  static override description =
    "It tells whether the fleet runs, not whether it is well: that is what health is for.\n\nExit codes: 0 running, 3 not running, 4 unknown (the daemon does not answer, or the command line is wrong).";
  static override examples = ["<%= config.bin %> <%= command.id %> --output json"];
  static override flags = { ...fleetFlags, output: outputFlag };

  async run(): Promise<void> {
    const { flags } = await this.parse(Status);
    const fleet = await askFleet(flags, this.interruption());
    this.print(formatted(fleet, flags.output, (wide) => fleetPage(fleet, { wide })));
  }
}
