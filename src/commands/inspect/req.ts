import { BaseCommand } from "../../cli/base-command.ts";
import { daemonToAsk } from "../../cli/daemon-to-ask.ts";
import { fleetFlags, tableOutputFlag } from "../../cli/flags.ts";
import { formatted } from "../../cli/output.ts";
import { requestArg } from "../../cli/request-arg.ts";
import { requestPage } from "../../cli/request-page.ts";
import { systemClock } from "../../lib/clock.ts";

export default class InspectReq extends BaseCommand {
  static override summary =
    "Shows one request across router, prefill and decode: stages with durations, bytes, deadline, verdict, what to do.";
  static override description =
    "Ended requests are shown as long as the engines remember them.\n\nExit codes: 0 shown, 1 unknown request, 2 wrong usage or more than one request meant, 3 no fleet runs, 4 no answer in time.";
  static override examples = ["<%= config.bin %> <%= command.id %> 4f0c --output json"];
  static override args = { id: requestArg({ required: true }) };
  static override flags = { ...fleetFlags, output: tableOutputFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(InspectReq);
    const detail = await daemonToAsk(flags).request(args.id, this.interruption());
    const nowMs = systemClock.nowMs();
    this.print(formatted(detail, flags.output, () => this.page(requestPage(detail, { nowMs }))));
  }
}
