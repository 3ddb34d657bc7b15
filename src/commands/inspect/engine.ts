import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { daemonToAsk } from "../../cli/daemon-to-ask.ts";
import { enginePage } from "../../cli/engine-page.ts";
import { fleetFlags, tableOutputFlag } from "../../cli/flags.ts";
import { formatted } from "../../cli/output.ts";
import { systemClock } from "../../lib/clock.ts";

export default class InspectEngine extends BaseCommand {
  static override summary = "Shows one engine: its process, its latest sample, what is said of it and what to do.";
  static override description =
    "What is unknown is left out.\n\nExit codes: 0 shown, 1 unknown engine, 2 wrong usage, 3 no fleet runs, 4 no answer in time.";
  static override examples = ["<%= config.bin %> <%= command.id %> decode --output json"];
  static override args = { name: Args.string({ description: "Name of the engine, or router.", required: true }) };
  static override flags = { ...fleetFlags, output: tableOutputFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(InspectEngine);
    const engine = await daemonToAsk(flags).engine(args.name, this.interruption());
    const nowMs = systemClock.nowMs();
    this.print(formatted(engine, flags.output, () => this.page(enginePage(engine, { nowMs }))));
  }
}
