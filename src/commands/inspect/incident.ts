import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { daemonToAsk } from "../../cli/daemon-to-ask.ts";
import { fleetFlags, tableOutputFlag } from "../../cli/flags.ts";
import { incidentsTable } from "../../cli/fleet-page.ts";
import { incidentPage } from "../../cli/incident-page.ts";
import { formatted } from "../../cli/output.ts";

export default class InspectIncident extends BaseCommand {
  static override summary =
    "Shows one incident: what was seen, concluded and done, in order; without an id, all of them.";
  static override description =
    "Ended incidents are shown as long as the journal keeps them.\n\nExit codes: 0 shown, 1 unknown incident, 2 wrong usage, 3 no fleet runs, 4 no answer in time.";
  static override examples = ["<%= config.bin %> <%= command.id %> i3 --output json"];
  static override args = { id: Args.string({ description: "Its id, as status and events show it." }) };
  static override flags = { ...fleetFlags, output: tableOutputFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(InspectIncident);
    const daemon = daemonToAsk(flags);
    const signal = this.interruption();
    if (args.id === undefined) {
      const list = await daemon.incidents(signal);
      this.print(formatted(list, flags.output, () => incidentsTable(list.incidents)));
      return;
    }
    const incident = await daemon.incident(args.id, signal);
    this.print(formatted(incident, flags.output, () => this.page(incidentPage(incident))));
  }
}
