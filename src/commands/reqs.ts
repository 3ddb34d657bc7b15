import { Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { daemonToAsk } from "../cli/daemon-to-ask.ts";
import { fleetFlags, outputFlag } from "../cli/flags.ts";
import { formatted } from "../cli/output.ts";
import { requestsTable } from "../cli/requests-table.ts";

export default class Reqs extends BaseCommand {
  static override summary =
    "Lists the live requests of the fleet: stage, ages, bytes moved and the deadline that fires next.";
  static override description = "Exit codes: 0 listed, 1 failed, 2 wrong usage, 3 no fleet runs.";
  static override examples = ["<%= config.bin %> <%= command.id %> --output wide"];
  static override flags = {
    ...fleetFlags,
    output: outputFlag,
    all: Flags.boolean({ summary: "Ended requests, too, as far as the engines remember them." }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Reqs);
    const client = daemonToAsk(flags);
    const list = await client.requests(this.interruption());
    const shown = flags.all ? list : { ...list, requests: list.requests.filter(({ live }) => live) };
    this.print(formatted(shown, flags.output, (wide) => requestsTable(shown, { wide, all: flags.all })));
  }
}
