import { Args } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { daemonToAsk } from "../cli/daemon-to-ask.ts";
import { fleetFlags } from "../cli/flags.ts";
import { durationFlag } from "../cli/process-flags.ts";
import { shownBytes } from "../cli/quantities.ts";
import { recordTo } from "../cli/recorder.ts";
import { limited } from "../lib/wait.ts";

// A fleet of 16 engines makes a few kilobytes a second.
const bytesMax = 1024 ** 3;

export default class Record extends BaseCommand {
  static override summary = "Records what the poller sees into a file, for replay.";
  static override description =
    "It holds samples, no prompt, no answer and no body. It ends after --for, at Ctrl-C, with the daemon, or at 1 GiB.\n\nExit codes: 0 recorded, 1 failed, 2 wrong usage or the file is there already, 3 no fleet runs, 4 no answer in time.";
  static override examples = ["<%= config.bin %> <%= command.id %> wedge.jsonl --for 60s"];
  static override args = { file: Args.string({ description: "Where to write it.", required: true }) };
  static override flags = { ...fleetFlags, for: durationFlag({ summary: "How long to record.", default: 60_000 }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Record);
    const seen = daemonToAsk(flags).observations(limited(flags.for, this.interruption()));
    const { lines, bytes } = await recordTo(args.file, seen, { bytesMax });
    this.say(`recorded   ${lines} lines, ${shownBytes(bytes)}, in ${args.file}`);
  }
}
