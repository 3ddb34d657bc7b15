import { Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { daemonToAsk } from "../cli/daemon-to-ask.ts";
import { eventText } from "../cli/event-words.ts";
import { fleetFlags, tableOutputFlag } from "../cli/flags.ts";
import { formatted } from "../cli/output.ts";
import { durationFlag } from "../cli/process-flags.ts";

export default class Events extends BaseCommand {
  static override summary = "Shows what happened: states, verdicts, actions and their outcomes, the oldest first.";
  static override description =
    "With --follow and --output json each event is a line. It then goes on over daemons that end and come back, until Ctrl-C.\n\nExit codes: 0 shown, 1 failed, 2 wrong usage, 3 no fleet runs, 4 no answer in time, 130 Ctrl-C.";
  static override examples = ["<%= config.bin %> <%= command.id %> --follow --since 5m --output json"];
  static override flags = {
    ...fleetFlags,
    output: tableOutputFlag,
    follow: Flags.boolean({ char: "f", summary: "Wait for what comes." }),
    since: durationFlag({ summary: "How far to look back.", default: 3_600_000 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Events);
    const signal = this.interruption();
    const daemon = daemonToAsk(flags);
    const since = `${flags.since}ms`;
    if (!flags.follow) {
      const events = await daemon.pastEvents(since, signal);
      this.print(formatted(events, flags.output, () => events.map((event) => eventText(event, "table")).join("")));
      return;
    }
    for await (const event of daemon.events(since, signal)) this.print(eventText(event, flags.output));
    signal.throwIfAborted();
  }
}
