import { Args, Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { fleetFlags } from "../cli/flags.ts";
import { placesToAsk } from "../cli/fleet-places.ts";
import { followLogs } from "../cli/follow-logs.ts";
import { chosenLogs, linesOf, logsIn } from "../cli/log-files.ts";
import { chosenLines, shownLine } from "../cli/log-lines.ts";
import { durationFlag } from "../cli/process-flags.ts";
import { surroundings } from "../cli/surroundings.ts";
import { systemClock } from "../lib/clock.ts";

export default class Logs extends BaseCommand {
  static override summary = "Shows the logs of the fleet's processes; without a name all of them.";
  static override description =
    "It reads the files, so that it also works where no daemon runs, and follows them when they are rotated.\n\nExit codes: 0 shown, 1 no such log, 2 wrong usage, 130 Ctrl-C.";
  static override examples = ["<%= config.bin %> <%= command.id %> decode --follow --since 5m --lines 100"];
  static override strict = false;
  static override args = { name: Args.string({ description: "Names of engines, router, daemon or watchdog." }) };
  static override flags = {
    ...fleetFlags,
    follow: Flags.boolean({ char: "f", summary: "Wait for what comes." }),
    since: durationFlag({ summary: "Only lines that are not older." }),
    lines: Flags.integer({ char: "n", summary: "How many lines of each log.", default: 100, min: 0 }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Logs);
    const signal = this.interruption();
    const logs = chosenLogs(logsIn(placesToAsk(flags, surroundings()).logs), argv.map(String));
    if (logs.size === 0) this.say("There are no logs here yet; pdctl up starts a fleet.");
    const width = logs.size < 2 ? 0 : Math.max(...[...logs.keys()].map((name) => name.length));
    const sinceUnixMs = flags.since === undefined ? undefined : systemClock.wallMs() - flags.since;
    for (const [name, files] of logs) {
      const lines = chosenLines(linesOf(name, files), { linesMax: flags.lines, sinceUnixMs });
      for (const line of lines) this.print(shownLine(line, width));
    }
    if (!flags.follow) return;
    for await (const line of followLogs(logs, signal)) this.print(shownLine(line, width));
    signal.throwIfAborted();
  }
}
