import { BaseCommand } from "../../cli/base-command.ts";
import { fleetFlags, tableOutputFlag } from "../../cli/flags.ts";
import { placesToAsk } from "../../cli/fleet-places.ts";
import { formatted } from "../../cli/output.ts";
import { requestArg } from "../../cli/request-arg.ts";
import { requestPage } from "../../cli/request-page.ts";
import { surroundings } from "../../cli/surroundings.ts";
import { DaemonClient } from "../../client/daemon-client.ts";

export default class InspectReq extends BaseCommand {
  static override summary =
    "Shows one request across router, prefill and decode: its stages with durations, bytes and deadline.";
  static override description =
    "Ended requests are shown as long as the engines remember them.\n\nExit codes: 0 shown, 1 unknown request, 2 wrong usage or more than one request meant, 3 no fleet runs.";
  static override examples = ["<%= config.bin %> <%= command.id %> 4f0c --output json"];
  static override args = { id: requestArg({ required: true }) };
  static override flags = { ...fleetFlags, output: tableOutputFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(InspectReq);
    const client = new DaemonClient(placesToAsk(flags, surroundings()).socket);
    const detail = await client.request(args.id, this.interruption());
    this.print(formatted(detail, flags.output, () => requestPage(detail)));
  }
}
